package consumer

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/grouplog"
	"odradek.dev/core/internal/group/grouptest"
	"odradek.dev/core/internal/group/step"
	"odradek.dev/sdk/assignor"
)

// TestTranscripts runs the scenarios in testdata, each on a group of its own.
// With -rewrite they are written anew. Every command may have now=MILLIS, and
// shows the records, questions to assignors, answers and notes that it came to,
// and the deadline after it. The commands:
//
//	topic              NAME partitions=N [racks=r1/r2,r1,...] [unnoticed]: creates or changes a topic
//	delete-topic       NAME
//	set                SETTING=VALUE...
//	heartbeat          member= epoch= [topics=a,b] [regex=, ( as %28] [owned=a:0:1,b:0 or none] [instance=]
//	                   [rack=] [assignor=] [rebalance=MILLIS] [client=] [v=]; a member that joins
//	                   says rebalance=5000 owned=none of itself
//	assigned           the result of the last question: by an assignor that moves little, or a member
//	                   a line: ID TOPIC:0:1...; [error=] [epoch=]
//	resolved           the result of the last question about regular expressions; [error=] [version=]
//	tick
//	restart            a new group from the records so far
//	state describe
//	commit             member= epoch= [partition=t:0] [v=] [transactional]
//	fetch              member= epoch=
//	join sync beat     the classic protocol: member= [instance=] [generation=] [protocols=range,...]
//	                   [topics=] [owned=] [data=] [session=] [rebalance=] [v=]
//	leave              member[/instance],...: LeaveGroup
//	remove             the tombstones of the group
//	upgrade            a new group from classic members, a line each: ID topics= assignment=
//	downgrade          ends the group for a classic one
func TestTranscripts(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		s := newScenario()
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string { return s.run(t, d) })
	})
}

type scenario struct {
	*world
	group *Group
	now   int64
	token step.Token
	log   []grouplog.Record
	asked step.Assign
	// resolves is the last question about regular expressions.
	resolves step.Resolve
}

func newScenario() *scenario {
	w := newWorld()
	g := New("g", w)
	g.Loaded(0)
	return &scenario{world: w, group: g, now: 1000}
}

func (s *scenario) run(t *testing.T, d *datadriven.TestData) string {
	a := grouptest.ArgsOf(d)
	grouptest.Take(a, "now", &s.now)
	if text, shown := s.look(t, d.Cmd, a); shown {
		return text
	}
	out := &step.Output{}
	text := s.change(t, d, a, out)
	s.log = append(s.log, out.Records...)
	for _, asked := range out.Assigns {
		s.asked = asked
	}
	for _, asked := range out.Resolves {
		s.resolves = asked
	}
	text = s.show(out) + text
	if deadline := s.group.Deadline(); deadline != step.Never {
		text += fmt.Sprintf("deadline %d\n", deadline)
	}
	return text
}

// look is for the commands that change nothing.
func (s *scenario) look(t *testing.T, command string, a grouptest.Args) (string, bool) {
	switch command {
	case "set":
		for key, value := range a {
			s.set(t, key, value)
		}
		return "", true
	case "state":
		return fmt.Sprintf("%s epoch=%d members=%d subscribed=%v\n", s.group.State(), s.group.Epoch(), s.group.Members(), s.group.SubscribedTopics()), true
	case "describe":
		return s.described(), true
	case "commit":
		return s.commit(a), true
	case "fetch":
		if refused := s.group.CheckFetch(a.Text("member"), a.Number("epoch")); refused != nil {
			return refused.Error() + "\n", true
		}
		return "ok\n", true
	}
	return "", false
}

func (s *scenario) change(t *testing.T, d *datadriven.TestData, a grouptest.Args, out *step.Output) string {
	client := step.Client{ID: "c", Host: "/10.0.0.1"}
	s.token++
	switch d.Cmd {
	case "topic":
		s.Create(d.CmdArgs[0].Key, a.Number("partitions"), racksIn(a)...)
		if !a.Has("unnoticed") {
			s.group.TopicsChanged(s.now, out)
		}
	case "delete-topic":
		s.Remove(d.CmdArgs[0].Key)
		s.group.TopicsChanged(s.now, out)
	case "heartbeat":
		if a.Has("client") {
			client.ID = a["client"]
		}
		s.group.Heartbeat(s.now, s.token, client, s.Heartbeat("g", a), out)
	case "assigned":
		epoch, err := s.asked.Epoch, error(nil)
		grouptest.Take(a, "epoch", &epoch)
		if a.Has("error") {
			err = errors.New(a["error"])
		}
		s.group.Assigned(s.now, epoch, s.assignment(d.Input), err, out)
	case "resolved":
		s.group.Resolved(s.now, s.resolved(t, a), out)
	case "tick":
		s.group.Tick(s.now, out)
	case "restart":
		s.group = New("g", s.world)
		for _, r := range s.log {
			s.group.Apply(r)
		}
		s.group.Loaded(s.now)
	case "remove":
		s.group.Remove(out)
	case "join", "sync", "beat", "leave", "upgrade", "downgrade":
		return s.classic(t, d, a, client, out)
	default:
		t.Fatalf("%s: unknown command %s", d.Pos, d.Cmd)
	}
	return ""
}

func (s *scenario) set(t *testing.T, key, value string) {
	number, _ := strconv.Atoi(value)
	switch key {
	case "interval":
		s.Config.ConsumerAssignmentIntervalMs = int32(number)
	case "refresh":
		s.Config.RegexRefreshIntervalMs = int64(number)
	case "max-size":
		s.Config.ConsumerMaxSize = int32(number)
	case "classic-max-size":
		s.Config.MaxSize = int32(number)
	case "policy":
		s.Config.ConsumerMigrationPolicy = value
	case "assignors":
		s.Config.ConsumerAssignors = strings.Split(value, ",")
	default:
		t.Fatalf("unknown setting %s", key)
	}
}

func (s *scenario) assignment(input string) assignor.Assignment {
	if input == "" {
		return grouptest.Spread(s.asked.Snapshot)
	}
	given := map[string][]assignor.TopicPartitions{}
	for line := range strings.Lines(input) {
		words := strings.Fields(line)
		for _, word := range words[1:] {
			name, partitions := grouptest.Numbers(word)
			given[words[0]] = append(given[words[0]], assignor.TopicPartitions{Topic: name, Partitions: partitions})
		}
	}
	var assignment assignor.Assignment
	for _, m := range s.asked.Snapshot.Members {
		assignment.Members = append(assignment.Members, assignor.MemberAssignment{Partitions: given[m.ID]})
	}
	return assignment
}

func (s *scenario) resolved(t *testing.T, a grouptest.Args) step.Resolved {
	r := s.match(t, s.resolves)
	grouptest.Take(a, "version", &r.Version)
	if a.Has("error") {
		r.Topics, r.Err = nil, errors.New(a["error"])
	}
	return r
}

func (s *scenario) commit(a grouptest.Args) string {
	c := Commit{MemberID: a["member"], Epoch: a.Number("epoch"), Version: 9, Transactional: a.Has("transactional")}
	grouptest.Take(a, "v", &c.Version)
	check, refused := s.group.CheckCommit(c)
	if refused == nil && check != nil && a.Has("partition") {
		name, partitions := grouptest.Numbers(a["partition"])
		refused = check(name, [16]byte{}, partitions[0])
	}
	if refused != nil {
		return refused.Error() + "\n"
	}
	return "ok\n"
}

func (s *scenario) described() string {
	d := s.group.Describe()
	text := fmt.Sprintf("%s epoch=%d assignment=%d by %s\n", d.State, d.Epoch, d.AssignmentEpoch, d.AssignorName)
	for _, m := range d.Members {
		text += fmt.Sprintf("%s type=%d epoch=%d client=%s%s topics=%v has %s target %s\n", m.MemberID, m.MemberType, m.MemberEpoch,
			m.ClientID, m.ClientHost, m.SubscribedTopics, assigned(m.Assignment), assigned(m.TargetAssignment))
	}
	return text
}

func assigned(a kmsg.Assignment) string {
	text := ""
	for _, tp := range a.TopicPartitions {
		text += fmt.Sprintf("%s%v", tp.Topic, tp.Partitions)
	}
	return "{" + text + "}"
}

func racksIn(a grouptest.Args) [][]string {
	if !a.Has("racks") {
		return nil
	}
	var racks [][]string
	for _, partition := range a.List("racks") {
		racks = append(racks, strings.Split(partition, "/"))
	}
	return racks
}
