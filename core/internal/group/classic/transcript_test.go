package classic

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/grouplog"
	"odradek.dev/core/internal/group/grouptest"
	"odradek.dev/core/internal/group/step"
)

// TestTranscripts runs the scenarios in testdata, each on a group of its own.
// With -rewrite they are written anew. A scenario's commands, CLIENT being a
// name for the answer, and the client id:
//
//	settings   [delay=MS] [max-size=N] [min-session=MS] [max-session=MS]
//	join       CLIENT [id=ID] [instance=ID] [v=9] [type=consumer] [protocols=(NAME,...)]
//	           [topics=(NAME,...)] [metadata=TEXT] [session=MS] [rebalance=MS] [reason=WORD]
//	sync       CLIENT id=ID gen=N [instance=ID] [type=T] [protocol=NAME] [v=5]; a line
//	           for each share: ID TEXT
//	heartbeat  CLIENT id=ID gen=N [instance=ID]
//	leave      CLIENT [v=5]; a line for each member: ID [INSTANCE], - for no id
//	commit     id=ID gen=N [instance=ID]
//	tick       now=MS
//	describe, topics, remove, upgrade
//	downgrade  epoch=N; a line for each member: ID SHARE PROTOCOL...
//	replay     goes on with a group that has read the log
//
// All take now=MS, which then stays. What is shown: notes with #, answers with
// the client they are to, records, and the group's state if it changed.
func TestTranscripts(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		w := newTestWorld()
		s := &scenario{world: w, group: New("g", w), clients: map[step.Token]string{}}
		datadriven.RunTest(t, path, s.run)
	})
}

// testWorld is a world in which ids are counted.
type testWorld struct {
	step.World
	settings step.Settings
	ids      int
}

func newTestWorld() *testWorld {
	return &testWorld{settings: step.Settings{
		MinSessionTimeoutMs: 6000, MaxSessionTimeoutMs: 1_800_000, InitialRebalanceDelayMs: 3000, MaxSize: 1000,
	}}
}

func (w *testWorld) NewID() string                  { w.ids++; return fmt.Sprint(w.ids) }
func (w *testWorld) Settings(string) *step.Settings { return &w.settings }

type scenario struct {
	world *testWorld
	group *Group
	now   int64
	log   []grouplog.Record
	// clients are whom the tokens were given to.
	clients map[step.Token]string
	last    string
	out     strings.Builder
}

func (s *scenario) run(t *testing.T, d *datadriven.TestData) string {
	s.out.Reset()
	d.MaybeScanArgs(t, "now", &s.now)
	var out step.Output
	s.do(t, d, &out)
	s.show(t, &out)
	return s.out.String()
}

func (s *scenario) do(t *testing.T, d *datadriven.TestData, out *step.Output) {
	switch d.Cmd {
	case "settings":
		a := grouptest.ArgsOf(d)
		grouptest.Take(a, "delay", &s.world.settings.InitialRebalanceDelayMs)
		grouptest.Take(a, "max-size", &s.world.settings.MaxSize)
		grouptest.Take(a, "min-session", &s.world.settings.MinSessionTimeoutMs)
		grouptest.Take(a, "max-session", &s.world.settings.MaxSessionTimeoutMs)
	case "join", "sync", "heartbeat", "leave":
		s.request(d.CmdArgs[0].Key, requestIn(d), out)
	case "commit":
		a := grouptest.ArgsOf(d)
		err := s.group.CheckCommit(s.now, a["id"], a.Text("instance"), a.Number("gen"))
		fmt.Fprintf(&s.out, "commit: %s\n", verdict(err))
	case "tick":
		s.group.Tick(s.now, out)
	case "describe":
		s.describe()
	case "topics":
		topics, ok := s.group.SubscribedTopics()
		fmt.Fprintf(&s.out, "%v %t\n", sortedKeys(topics), ok)
	case "remove":
		fmt.Fprintf(&s.out, "remove: %s\n", verdict(s.group.Remove(out)))
	case "upgrade":
		for _, m := range s.group.Members() {
			fmt.Fprintf(&s.out, "member %s, %d protocols, has %q\n", m.ID, len(m.Protocols), m.Assignment)
		}
		s.group.Upgrade(out)
	case "downgrade":
		s.downgrade(t, d, out)
	case "replay":
		s.group = New("g", s.world)
		for _, r := range s.log {
			s.group.Apply(r)
		}
		s.group.Loaded(s.now, out)
	default:
		d.Fatalf(t, "unknown command %s", d.Cmd)
	}
}

// request goes the way of a request to a group; one that has ended is not
// there any more.
func (s *scenario) request(client string, req kmsg.Request, out *step.Output) {
	to := step.Token(len(s.clients))
	s.clients[to] = client
	if Refuse(to, req, &s.world.settings, out) {
		return
	}
	if s.group.State() == Dead {
		s.group = New("g", s.world)
	}
	if !s.group.recorded && RefuseUnknown(to, req, out) {
		return
	}
	switch req := req.(type) {
	case *kmsg.JoinGroupRequest:
		s.group.Join(s.now, to, step.Client{ID: client, Host: "/" + client}, req, out)
	case *kmsg.SyncGroupRequest:
		s.group.Sync(s.now, to, req, out)
	case *kmsg.HeartbeatRequest:
		s.group.Heartbeat(s.now, to, req, out)
	case *kmsg.LeaveGroupRequest:
		s.group.Leave(s.now, to, req, out)
	}
}

func (s *scenario) downgrade(t *testing.T, d *datadriven.TestData, out *step.Output) {
	var epoch int32
	d.ScanArgs(t, "epoch", &epoch)
	var list []Member
	for _, line := range lines(d) {
		words := strings.Fields(line)
		m := Member{ID: words[0], SessionTimeoutMillis: 10_000, RebalanceTimeoutMillis: 60_000, Assignment: []byte(words[1])}
		for _, protocol := range words[2:] {
			m.Protocols = append(m.Protocols, kmsg.JoinGroupRequestProtocol{Name: protocol, Metadata: subscription([]string{"t"})})
		}
		list = append(list, m)
	}
	g, err := Downgrade(s.now, "g", s.world, epoch, list, d.HasArg("rebalance"), out)
	if err != nil {
		fmt.Fprintln(&s.out, err)
		return
	}
	s.group = g
}

// show writes what a step came to.
func (s *scenario) show(t *testing.T, out *step.Output) {
	for _, note := range out.Notes {
		fmt.Fprintf(&s.out, "# %s\n", strings.TrimPrefix(note, "group g: "))
	}
	for _, a := range out.Answers {
		fmt.Fprintf(&s.out, "%s %s\n", s.clients[a.To], answerText(a.Response))
		s.clients[a.To] = "nobody (answered before)"
	}
	for _, r := range out.Records {
		fmt.Fprintln(&s.out, recordText(r))
	}
	s.log = append(s.log, out.Records...)
	requireWhole(t, s.group)
	deadline := "none"
	if at := s.group.Deadline(); at != step.Never {
		deadline = fmt.Sprint(at)
	}
	state := fmt.Sprintf("%s, generation %d, deadline %s", s.group.State(), s.group.Generation(), deadline)
	if state != s.last {
		fmt.Fprintln(&s.out, state)
		s.last = state
	}
}

func (s *scenario) describe() {
	d := s.group.Describe()
	fmt.Fprintf(&s.out, "%s %s type %q protocol %q\n", d.Group, d.State, d.ProtocolType, d.Protocol)
	for _, m := range d.Members {
		fmt.Fprintf(&s.out, "  %s%s client %s at %s says %s has %q\n",
			m.MemberID, instance(m.InstanceID), m.ClientID, m.ClientHost, metadataText(m.ProtocolMetadata), m.MemberAssignment)
	}
}
