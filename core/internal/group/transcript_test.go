package group

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/grouplog"
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
//	set               SETTING=VALUE...
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
	a := argsOf(d)
	if a.has("now") {
		s.now = int64(a.number("now"))
	}
	switch d.Cmd {
	case "set":
		for key, value := range a {
			s.set(t, key, value)
		}
		return ""
	case "list":
		return s.listed(a)
	}
	text := s.due()
	out := s.step(t, d, a)
	text += s.did(&out) + s.due()
	if deadline := s.machine.deadlines.first(); deadline != step.Never {
		text += fmt.Sprintf("deadline %d\n", deadline)
	}
	return text
}

// due does what the shell does when a deadline has passed.
func (s *scenario) due() string {
	text := ""
	for s.machine.deadlines.first() <= s.now {
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

func (s *scenario) step(t *testing.T, d *datadriven.TestData, a args) step.Output {
	switch d.Cmd {
	case "topic":
		name := d.CmdArgs[0].Key
		s.create(name, int32(a.number("partitions")))
		if a.has("end") {
			s.ends[name] = []int64{int64(a.number("end"))}
		}
		return s.topicsChanged(a)
	case "delete-topic":
		gone := s.remove(d.CmdArgs[0].Key)
		return s.topicsChanged(a, gone)
	case "assigned":
		answer := step.Assigned{Assign: s.asked, Assignment: spread(s.asked.Snapshot)}
		if a.has("error") {
			answer.Err = errors.New(a["error"])
		}
		return s.machine.Assigned(s.now, answer)
	case "resolved":
		answer := s.match(t, s.resolves)
		if a.has("error") {
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
	if a.has("v") {
		q.SetVersion(int16(a.number("v")))
	}
	return s.machine.Handle(s.now, s.token, step.Client{ID: "c", Host: "/10.0.0.1"}, q)
}

func (s *scenario) topicsChanged(a args, gone ...step.Topic) step.Output {
	if a.has("unnoticed") {
		return step.Output{}
	}
	return s.machine.TopicsChanged(s.now, gone)
}

func (s *scenario) restart(t *testing.T, a args) step.Output {
	log := s.log
	if a.has("compacted") || a.has("collected") {
		log = compacted(log, a.has("collected"))
	}
	before := s.machine
	s.machine = replay(t, s.broker, log)
	requireSame(t, before, s.machine)
	return s.machine.Loaded(s.now)
}

func (s *scenario) set(t *testing.T, key, value string) {
	number, _ := strconv.Atoi(value)
	switch key {
	case "retention":
		s.settings.OffsetsRetentionMs = int64(number)
	case "policy":
		s.settings.ConsumerMigrationPolicy = value
	case "max-size":
		s.settings.MaxSize = int32(number)
	case "consumer-max-size":
		s.settings.ConsumerMaxSize = int32(number)
	case "initial-delay":
		s.settings.InitialRebalanceDelayMs = int32(number)
	default:
		t.Fatalf("unknown setting %s", key)
	}
}

func (s *scenario) listed(a args) string {
	q := kmsg.NewPtrListGroupsRequest()
	q.StatesFilter, q.TypesFilter = a.list("states"), a.list("types")
	var lines []string
	for _, g := range s.machine.List(q) {
		lines = append(lines, fmt.Sprintf("%s %s %q %s\n", g.Group, g.GroupType, g.ProtocolType, g.GroupState))
	}
	return sortedLines(lines)
}

// args are those of a command, by name.
type args map[string]string

func argsOf(d *datadriven.TestData) args {
	a := args{}
	for _, arg := range d.CmdArgs {
		a[arg.Key] = strings.Join(arg.Vals, ",")
	}
	return a
}

func (a args) has(key string) bool { _, has := a[key]; return has }

func (a args) text(key string) *string {
	value, has := a[key]
	if !has {
		return nil
	}
	return &value
}

func (a args) list(key string) []string {
	switch a[key] {
	case "":
		return nil
	case "none":
		return []string{}
	}
	return strings.Split(a[key], ",")
}

// number is 0 if the command does not say.
func (a args) number(key string) int {
	if !a.has(key) {
		return 0
	}
	n, err := strconv.Atoi(a[key])
	if err != nil {
		panic(fmt.Sprintf("%s is %q, which is no number", key, a[key]))
	}
	return n
}

// numbersIn reads NAME:0:1.
func numbersIn(word string) (name string, numbers []int32) {
	name, rest, some := strings.Cut(word, ":")
	if !some {
		return name, nil
	}
	for _, digits := range strings.Split(rest, ":") {
		n, err := strconv.Atoi(digits)
		if err != nil {
			panic(fmt.Sprintf("%q is not NAME:NUMBER...", word))
		}
		numbers = append(numbers, int32(n))
	}
	return name, numbers
}
