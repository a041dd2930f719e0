package group

import (
	"errors"
	"fmt"
	"strconv"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/grouplog"
	"odradek.dev/core/internal/group/grouptest"
	"odradek.dev/core/internal/group/step"
)

// TestTranscripts runs the scenarios in testdata, each on a machine of its own.
// With -rewrite they are written anew. Every command may have now=MILLIS, and
// shows the records, questions to assignors, answers and notes that it came to,
// and the deadline after it. A group is g if group= does not say otherwise. The
// commands:
//
//	topic             NAME partitions=N [end=N] [unnoticed]: creates a topic or makes it larger
//	delete-topic      NAME [unnoticed]
//	set               SETTING=VALUE... [group=]: without group= those of all groups that set nothing
//	join sync beat    the classic protocol: member= [instance=] [generation=] [topics=a,b] [type=]
//	                  [session=] [v=]; sync has a member a line: ID TOPIC:0:1...
//	leave             members=ID[/INSTANCE],...
//	heartbeat         KIP-848: member= epoch= [topics=] [regex=] [owned=TOPIC:0:1,... or none] [instance=] [assignor=] [v=]
//	assigned          answers the last question, by an assignor that moves little; [error=]
//	resolved          answers the last question about regular expressions; [error=]
//	commit            offsets=TOPIC:PARTITION:OFFSET,... [member= epoch= instance=] [metadata=] [retention=] [leader-epoch=] [v=]
//	fetch             [topics=TOPIC:0:1,...] [member= epoch=] [v=]
//	delete-offsets    topics=TOPIC:0:1,...
//	delete-groups     NAME...
//	describe          NAME... [v=]: DescribeGroups; describe-consumer: ConsumerGroupDescribe
//	list              [states=] [types=]
//	tick
//	restart           a new machine from the records so far, [compacted]: from the last of each key,
//	                  [collected]: and without tombstones. It must come to the same.
func TestTranscripts(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		s := newScenario()
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string { return s.run(t, d) })
	})
}

type scenario struct {
	*broker
	machine *Machine
	now     int64
	token   step.Token
	log     []grouplog.Record
	asked   step.Assign
	// resolves is the last question about regular expressions.
	resolves step.Resolve
}

func newScenario() *scenario {
	b := newBroker()
	s := &scenario{broker: b, machine: New(b), now: 1000}
	s.machine.Loaded(0)
	return s
}

func (s *scenario) run(t *testing.T, d *datadriven.TestData) string {
	a := grouptest.ArgsOf(d)
	grouptest.Take(a, "now", &s.now)
	switch d.Cmd {
	case "set":
		s.set(t, a)
		return ""
	case "list":
		return s.listed(a)
	}
	text := s.due()
	out := s.step(t, d, a)
	text += s.did(&out) + s.due()
	if deadline := s.machine.deadlines.At(); deadline != step.Never {
		text += fmt.Sprintf("deadline %d\n", deadline)
	}
	return text
}

// due does what the shell does when a deadline has passed.
func (s *scenario) due() string {
	text := ""
	for s.machine.deadlines.At() <= s.now {
		out := s.machine.Tick(s.now)
		text += s.did(&out)
	}
	return text
}

func (s *scenario) did(out *step.Output) string {
	s.log = append(s.log, out.Records...)
	for _, asked := range out.Assigns {
		s.asked = asked
	}
	for _, asked := range out.Resolves {
		s.resolves = asked
	}
	return s.show(out)
}

func (s *scenario) step(t *testing.T, d *datadriven.TestData, a grouptest.Args) step.Output {
	switch d.Cmd {
	case "topic":
		name := d.CmdArgs[0].Key
		s.Create(name, a.Number("partitions"))
		if a.Has("end") {
			s.ends[name] = []int64{int64(a.Number("end"))}
		}
		return s.topicsChanged(a)
	case "delete-topic":
		gone := s.Remove(d.CmdArgs[0].Key)
		return s.topicsChanged(a, gone)
	case "assigned":
		answer := step.Assigned{Assign: s.asked, Assignment: grouptest.Spread(s.asked.Snapshot)}
		if a.Has("error") {
			answer.Err = errors.New(a["error"])
		}
		return s.machine.Assigned(s.now, answer)
	case "resolved":
		answer := s.match(t, s.resolves)
		if a.Has("error") {
			answer.Topics, answer.Err = nil, errors.New(a["error"])
		}
		return s.machine.Resolved(s.now, answer)
	case "tick":
		return s.machine.Tick(s.now)
	case "restart":
		return s.restart(t, a)
	}
	s.token++
	q := s.request(d, a)
	require.NotNil(t, q, "%s: unknown command %s", d.Pos, d.Cmd)
	if a.Has("v") {
		q.SetVersion(int16(a.Number("v")))
	}
	return s.machine.Handle(s.now, s.token, step.Client{ID: "c", Host: "/10.0.0.1"}, q)
}

func (s *scenario) topicsChanged(a grouptest.Args, gone ...step.Topic) step.Output {
	if a.Has("unnoticed") {
		return step.Output{}
	}
	return s.machine.TopicsChanged(s.now, gone)
}

func (s *scenario) restart(t *testing.T, a grouptest.Args) step.Output {
	log := s.log
	if a.Has("compacted") || a.Has("collected") {
		log = compacted(log, a.Has("collected"))
	}
	before := s.machine
	s.machine = replay(t, s.broker, log)
	requireSame(t, before, s.machine)
	return s.machine.Loaded(s.now)
}

func (s *scenario) set(t *testing.T, a grouptest.Args) {
	settings := &s.Config
	if a.Has("group") {
		settings = s.Own(a["group"])
	}
	for key, value := range a {
		if key != "group" {
			change(t, settings, key, value)
		}
	}
}

func change(t *testing.T, settings *step.Settings, key, value string) {
	number, _ := strconv.Atoi(value)
	switch key {
	case "retention":
		settings.OffsetsRetentionMs = int64(number)
	case "policy":
		settings.ConsumerMigrationPolicy = value
	case "max-size":
		settings.MaxSize = int32(number)
	case "consumer-max-size":
		settings.ConsumerMaxSize = int32(number)
	case "initial-delay":
		settings.InitialRebalanceDelayMs = int32(number)
	case "session-timeout":
		settings.ConsumerSessionTimeoutMs = int32(number)
	case "heartbeat-interval":
		settings.ConsumerHeartbeatIntervalMs = int32(number)
	case "assignment-interval":
		settings.ConsumerAssignmentIntervalMs = int32(number)
	default:
		t.Fatalf("unknown setting %s", key)
	}
}

func (s *scenario) listed(a grouptest.Args) string {
	q := kmsg.NewPtrListGroupsRequest()
	q.StatesFilter, q.TypesFilter = a.List("states"), a.List("types")
	var lines []string
	for _, g := range s.machine.List(q) {
		lines = append(lines, fmt.Sprintf("%s %s %q %s\n", g.Group, g.GroupType, g.ProtocolType, g.GroupState))
	}
	return sortedLines(lines)
}
