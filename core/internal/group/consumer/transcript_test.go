package consumer

import (
	"errors"
	"fmt"
	"math"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/grouplog"
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
	a := argsOf(d)
	if a.has("now") {
		s.now = int64(a.number("now"))
	}
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
func (s *scenario) look(t *testing.T, command string, a args) (string, bool) {
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
		if refused := s.group.CheckFetch(a.text("member"), int32(a.number("epoch"))); refused != nil {
			return refused.Error() + "\n", true
		}
		return "ok\n", true
	}
	return "", false
}

func (s *scenario) change(t *testing.T, d *datadriven.TestData, a args, out *step.Output) string {
	client := step.Client{ID: "c", Host: "/10.0.0.1"}
	s.token++
	switch d.Cmd {
	case "topic":
		s.create(d.CmdArgs[0].Key, int32(a.number("partitions")), racksIn(a))
		if !a.has("unnoticed") {
			s.group.TopicsChanged(s.now, out)
		}
	case "delete-topic":
		s.remove(d.CmdArgs[0].Key)
		s.group.TopicsChanged(s.now, out)
	case "heartbeat":
		if a.has("client") {
			client.ID = a["client"]
		}
		s.group.Heartbeat(s.now, s.token, client, s.heartbeat(a), out)
	case "assigned":
		epoch, err := s.asked.Epoch, error(nil)
		if a.has("epoch") {
			epoch = int32(a.number("epoch"))
		}
		if a.has("error") {
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
		s.settings.ConsumerAssignmentIntervalMs = int32(number)
	case "max-size":
		s.settings.ConsumerMaxSize = int32(number)
	case "classic-max-size":
		s.settings.MaxSize = int32(number)
	case "policy":
		s.settings.ConsumerMigrationPolicy = value
	case "assignors":
		s.settings.ConsumerAssignors = strings.Split(value, ",")
	default:
		t.Fatalf("unknown setting %s", key)
	}
}

func (s *scenario) heartbeat(a args) *kmsg.ConsumerGroupHeartbeatRequest {
	r := kmsg.NewPtrConsumerGroupHeartbeatRequest()
	r.Version, r.Group = 1, "g"
	r.MemberID, r.MemberEpoch = a["member"], int32(a.number("epoch"))
	r.InstanceID, r.RackID, r.ServerAssignor, r.SubscribedTopicRegex = a.text("instance"), a.text("rack"), a.text("assignor"), a.text("regex")
	if r.SubscribedTopicRegex != nil {
		*r.SubscribedTopicRegex, _ = url.PathUnescape(*r.SubscribedTopicRegex)
	}
	if a.has("v") {
		r.Version = int16(a.number("v"))
	}
	if r.MemberEpoch == 0 {
		r.RebalanceTimeoutMillis, r.Topics = 5000, []kmsg.ConsumerGroupHeartbeatRequestTopic{}
	}
	if a.has("rebalance") {
		r.RebalanceTimeoutMillis = int32(a.number("rebalance"))
	}
	if a.has("topics") {
		r.SubscribedTopicNames = a.list("topics")
	}
	if a.has("owned") {
		r.Topics = []kmsg.ConsumerGroupHeartbeatRequestTopic{}
		for _, owned := range a.list("owned") {
			topic := kmsg.NewConsumerGroupHeartbeatRequestTopic()
			name, partitions := partitionsIn(owned)
			topic.TopicID, topic.Partitions = s.topics[name].ID, partitions
			r.Topics = append(r.Topics, topic)
		}
	}
	return r
}

func (s *scenario) assignment(input string) assignor.Assignment {
	if input == "" {
		return spread(s.asked.Snapshot)
	}
	given := map[string][]assignor.TopicPartitions{}
	for line := range strings.Lines(input) {
		words := strings.Fields(line)
		for _, word := range words[1:] {
			name, partitions := partitionsIn(word)
			given[words[0]] = append(given[words[0]], assignor.TopicPartitions{Topic: name, Partitions: partitions})
		}
	}
	var assignment assignor.Assignment
	for _, m := range s.asked.Snapshot.Members {
		assignment.Members = append(assignment.Members, assignor.MemberAssignment{Partitions: given[m.ID]})
	}
	return assignment
}

func (s *scenario) resolved(t *testing.T, a args) step.Resolved {
	r := s.match(t, s.resolves)
	if a.has("version") {
		r.Version = int64(a.number("version"))
	}
	if a.has("error") {
		r.Topics, r.Err = nil, errors.New(a["error"])
	}
	return r
}

func (s *scenario) commit(a args) string {
	c := Commit{MemberID: a["member"], Epoch: int32(a.number("epoch")), Version: 9, Transactional: a.has("transactional")}
	if a.has("v") {
		c.Version = int16(a.number("v"))
	}
	check, refused := s.group.CheckCommit(c)
	if refused == nil && check != nil && a.has("partition") {
		name, partitions := partitionsIn(a["partition"])
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
	if value == "empty" {
		value = ""
	}
	return &value
}

func (a args) list(key string) []string {
	if a[key] == "none" {
		return []string{}
	}
	return strings.Split(a[key], ",")
}

func (a args) number(key string) int {
	n, err := strconv.Atoi(a[key])
	if err != nil || n > math.MaxInt32 {
		panic(fmt.Sprintf("%s is %q, which is no number", key, a[key]))
	}
	return n
}

// partitionsIn reads TOPIC:0:1.
func partitionsIn(word string) (topic string, partitions []int32) {
	topic, rest, _ := strings.Cut(word, ":")
	for _, digits := range strings.Split(rest, ":") {
		n, err := strconv.Atoi(digits)
		if err != nil {
			panic(fmt.Sprintf("%q is not TOPIC:PARTITION...", word))
		}
		partitions = append(partitions, int32(n))
	}
	return topic, partitions
}

func racksIn(a args) [][]string {
	if !a.has("racks") {
		return nil
	}
	var racks [][]string
	for _, partition := range a.list("racks") {
		racks = append(racks, strings.Split(partition, "/"))
	}
	return racks
}
