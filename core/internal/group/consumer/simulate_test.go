package consumer

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/grouplog"
	"odradek.dev/core/internal/group/step"
)

// TestSimulation has clients of both protocols join, leave, die, lose answers
// and change their minds, while topics come and go, assignors fail and the
// coordinator starts anew from its log, and regular expressions are resolved late,
// twice or not at all. After every step no partition is two
// members' by what they were told; once it is quiet, the group is stable within
// session and rebalance timeout. A failure names the seed that repeats it.
func TestSimulation(t *testing.T) {
	steps := 0
	for seed := range uint64(16) {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			s := newSimulation(t, seed)
			for range 12 {
				s.disturb(400)
				s.settle()
			}
			steps += s.steps
		})
	}
	t.Logf("%d steps", steps)
	require.Greater(t, steps, 100_000)
}

// simulation is one group, its clients, and what lies between them.
type simulation struct {
	*world
	t       *testing.T
	draw    *rand.Rand
	group   *Group
	now     int64
	steps   int
	quiet   bool
	log     []grouplog.Record
	token   step.Token
	clients []*simClient
	born    int
	// asked has who waits for the answer to a token.
	asked map[step.Token]*simClient
	// questions are assignments that nobody answered yet, with their time.
	questions []question
	// resolutions are answers about regular expressions on their way, some of them
	// twice, and some to a question of the machine before this one.
	resolutions []resolution
	// claims is what each member may have by what it was told and what it said.
	claims map[string]map[place]bool
}

type question struct {
	step.Assign
	at int64
}

type resolution struct {
	step.Resolved
	at int64
}

func newSimulation(t *testing.T, seed uint64) *simulation {
	s := &simulation{
		world: newWorld(), t: t, draw: rand.New(rand.NewPCG(seed, 1)), now: 1_000_000,
		asked: map[step.Token]*simClient{}, claims: map[string]map[place]bool{},
	}
	s.Config.ConsumerMigrationPolicy = "upgrade"
	s.Config.ConsumerAssignmentIntervalMs = []int32{0, 200, 1000}[seed%3]
	s.group = New("g", s)
	s.group.Loaded(s.now)
	for range 3 {
		s.changeTopic()
	}
	return s
}

func (s *simulation) likely(percent int) bool { return s.draw.IntN(100) < percent }

// do is one step of the machine, and what is checked after each.
func (s *simulation) do(input func(out *step.Output)) {
	out := &step.Output{}
	input(out)
	s.steps++
	s.log = append(s.log, out.Records...)
	for _, asked := range out.Assigns {
		require.True(s.t, slices.IsSortedFunc(s.group.inOrder(), compareMembers))
		s.questions = append(s.questions, question{asked, s.now + s.draw.Int64N(400)})
	}
	for _, asked := range out.Resolves {
		s.resolve(asked)
	}
	for _, a := range out.Answers {
		c, waits := s.asked[a.To]
		require.True(s.t, waits, "token %d was answered twice, or never given", a.To)
		delete(s.asked, a.To)
		s.noteAnswer(c, a.Response)
		c.receive(s, a.To, a.Response)
	}
	s.checkOwners()
}

// noteAnswer adds what a member is told to have to what it may have.
func (s *simulation) noteAnswer(c *simClient, response kmsg.Response) {
	switch r := response.(type) {
	case *kmsg.ConsumerGroupHeartbeatResponse:
		if r.Assignment != nil {
			s.claim(*r.MemberID, c.placesOf(r.Assignment), false)
		}
	case *kmsg.SyncGroupResponse:
		if r.ErrorCode == 0 {
			s.claim(c.id, s.placesIn(r.MemberAssignment), false)
		}
	}
}

// claim notes what a member may have: all that it has by its own words, or
// something more.
func (s *simulation) claim(id string, places []place, all bool) {
	if all || s.claims[id] == nil {
		s.claims[id] = map[place]bool{}
	}
	for _, p := range places {
		s.claims[id][p] = true
	}
}

func (s *simulation) checkOwners() {
	owners := map[place]string{}
	for id, m := range s.group.members {
		for p := range s.claims[id] {
			if other, taken := owners[p]; taken {
				s.t.Fatalf("%v belongs to %s and %s", p, id, other)
			}
			owners[p] = id
		}
		for _, holding := range [][]held{m.current.assigned, m.current.revoking} {
			for _, h := range holding {
				if s.group.owners[h.place] != m {
					s.t.Fatalf("%v is held by %s, which does not own it", h.place, id)
				}
			}
		}
	}
	for id := range s.claims {
		if s.group.members[id] == nil {
			delete(s.claims, id)
		}
	}
	for p, m := range s.group.owners {
		if s.group.members[m.id] != m {
			s.t.Fatalf("%v is owned by %s, which is gone", p, m.id)
		}
	}
	if s.group.targetEpoch > s.group.epoch {
		s.t.Fatalf("the target has epoch %d, the group %d", s.group.targetEpoch, s.group.epoch)
	}
}

// disturb runs for some steps in which anything may happen.
func (s *simulation) disturb(steps int) {
	s.quiet = false
	for until := s.steps + steps; s.steps < until; {
		switch n := s.draw.IntN(1000); {
		case n < 30 && len(s.clients) < 8:
			s.clients = append(s.clients, s.newClient())
		case n < 40:
			s.changeTopic()
		case n < 43:
			s.restart()
		case n < 60 && len(s.clients) > 0:
			s.clients[s.draw.IntN(len(s.clients))].disturb(s)
		default:
			s.advance(s.now + s.draw.Int64N(1500))
		}
	}
}

// settle lets everybody go on undisturbed for as long as a group may take.
func (s *simulation) settle() {
	s.quiet = true
	end := s.now + int64(s.Config.ConsumerSessionTimeoutMs) + 10_000 + 20_000
	for s.now < end {
		s.advance(s.now + 1000)
	}
	require.Empty(s.t, s.asked, "requests that nobody answered")
	state := s.group.State()
	if len(s.clients) == 0 {
		require.Contains(s.t, []string{"Empty", "Dead"}, state)
		return
	}
	require.Equal(s.t, "Stable", state, "%+v", s.group.Describe())
	require.Len(s.t, s.clients, s.group.Members())
	for _, c := range s.clients {
		m := s.group.members[c.id]
		require.NotNil(s.t, m, c.id)
		require.Equal(s.t, m.current.epoch, c.epoch)
		require.ElementsMatch(s.t, placesHeld(m.current.assigned), c.owns)
		require.ElementsMatch(s.t, m.target, c.owns)
	}
	for regex := range s.group.counts.regexes {
		now := s.match(s.t, step.Resolve{Expressions: []string{regex}}).Topics[0]
		require.NotNil(s.t, s.group.regexes[regex], regex)
		require.ElementsMatch(s.t, now, s.group.regexes[regex].Topics, regex)
	}
	for name, topic := range s.Topics {
		if s.group.Subscribes(name) {
			for p := range topic.Partitions {
				require.NotNil(s.t, s.group.owners[place{topic.ID, p}], "%s-%d is nobody's", name, p)
			}
		}
	}
}

// advance lets time pass, with everything that is due in its order.
func (s *simulation) advance(to int64) {
	for {
		at, act := to, (func())(nil)
		if deadline := s.group.Deadline(); deadline <= at {
			at, act = deadline, func() { s.do(func(out *step.Output) { s.group.Tick(s.now, out) }) }
		}
		for i, q := range s.questions {
			if q.at <= at {
				at, act = q.at, func() { s.assigned(i) }
			}
		}
		for i, r := range s.resolutions {
			if r.at <= at {
				at, act = r.at, func() { s.resolved(i) }
			}
		}
		for _, c := range s.clients {
			if c.next <= at {
				at, act = c.next, func() { c.act(s) }
			}
		}
		s.now = max(s.now, at)
		if act == nil {
			return
		}
		act()
	}
}

func (s *simulation) assigned(i int) {
	q := s.questions[i]
	s.questions = slices.Delete(s.questions, i, i+1)
	s.do(func(out *step.Output) {
		if !s.quiet && s.likely(10) {
			s.group.Assigned(s.now, q.Epoch, s.assignmentOf(q, true), fmt.Errorf("it hung"), out)
		} else {
			s.group.Assigned(s.now, q.Epoch, s.assignmentOf(q, false), nil, out)
		}
	})
}

// resolve answers by the topics of the time of the question, at some time.
func (s *simulation) resolve(asked step.Resolve) {
	r := s.match(s.t, asked)
	if !s.quiet && s.likely(10) {
		r.Topics, r.Err = nil, fmt.Errorf("it was cancelled")
	}
	late := s.draw.Int64N(20)
	if !s.quiet && s.likely(20) {
		late = s.draw.Int64N(15_000)
	}
	s.resolutions = append(s.resolutions, resolution{r, s.now + late})
	if s.likely(10) {
		s.resolutions = append(s.resolutions, resolution{r, s.now + s.draw.Int64N(30_000)})
	}
}

func (s *simulation) resolved(i int) {
	r := s.resolutions[i]
	s.resolutions = slices.Delete(s.resolutions, i, i+1)
	s.do(func(out *step.Output) { s.group.Resolved(s.now, r.Resolved, out) })
}

func (s *simulation) changeTopic() {
	name := fmt.Sprintf("t%d", s.draw.IntN(4))
	topic, exists := s.Topics[name]
	if exists && s.likely(40) {
		s.Remove(name)
	} else {
		s.Create(name, topic.Partitions+1+s.draw.Int32N(3))
	}
	s.do(func(out *step.Output) { s.group.TopicsChanged(s.now, out) })
}

// restart replays the log into a new machine, which must have the same in it.
// Whoever waits for an answer gets none.
func (s *simulation) restart() {
	before := durable(s.group)
	s.group = New("g", s)
	for _, r := range s.log {
		s.group.Apply(r)
	}
	s.group.Loaded(s.now)
	require.Equal(s.t, before, durable(s.group))
	for token, c := range s.asked {
		c.lose(s, token)
	}
	clear(s.asked)
	s.questions = nil
}

// durable is all that a group has by its records.
func durable(g *Group) string {
	text := fmt.Sprintf("%v %d %d %d %d", g.exists, g.epoch, g.metadataHash, g.targetEpoch, g.targetTime)
	for _, m := range g.inOrder() {
		text += fmt.Sprintf("\n%s %s %+v %v %v", m.id, memberText(m.info), m.current, m.target, m.targeted)
	}
	for _, regex := range sortedKeys(g.regexes) {
		text += fmt.Sprintf("\n%s %v", regex, *g.regexes[regex])
	}
	return text + fmt.Sprintf("\n%v %d %d", g.counts, len(g.owners), len(g.statics))
}
