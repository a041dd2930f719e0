package classic

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/grouplog"
	"odradek.dev/core/internal/group/step"
)

const (
	simSeeds = 60
	simSteps = 2000
)

// TestSimulation has processes join, leave, die, start anew, give up waiting and
// say what is long over, while the group's shell crashes now and then. After
// each step it checks what must hold; see simulation. When all is quiet the
// group must come to rest, and when all are dead it must be empty.
func TestSimulation(t *testing.T) {
	for seed := range uint64(simSeeds) {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			s := newSimulation(t, seed)
			for range simSteps {
				s.step()
			}
			s.settle()
			for _, p := range s.processes {
				p.dead = true
			}
			s.rest(simSessionMs + simRebalanceMs)
			require.Equal(t, Empty, s.group.State())
			require.Equal(t, step.Never, s.group.Deadline())
			require.Empty(t, s.open)
		})
	}
}

type simulation struct {
	t         *testing.T
	rng       *rand.Rand
	world     *testWorld
	group     *Group
	now       int64
	tokens    step.Token
	started   int
	processes []*process
	// open are the requests that have no answer yet, and who waits for it: nil
	// if nobody does.
	open map[step.Token]*process
	// asked has the requests of open.
	asked map[step.Token]kmsg.Request
	log   []grouplog.Record
	// follower has applied the records of the log as they came.
	follower *Group

	decided int
	// leaders has for each generation who was told to decide, decisions what was
	// decided, and owners whose each share is.
	leaders   map[int32]string
	decisions map[int32]string
	owners    map[string]string
	// syncedUpTo is the last generation in which somebody has got its share.
	syncedUpTo int32
}

func newSimulation(t *testing.T, seed uint64) *simulation {
	s := &simulation{
		t: t, rng: rand.New(rand.NewPCG(seed, 5)), world: newTestWorld(),
		open: map[step.Token]*process{}, asked: map[step.Token]kmsg.Request{},
		leaders: map[int32]string{}, decisions: map[int32]string{}, owners: map[string]string{},
	}
	s.world.settings.InitialRebalanceDelayMs = int32(s.rng.IntN(2)) * 3000
	s.world.settings.MaxSize = int32(4 + s.rng.IntN(8))
	s.group, s.follower = New("g", s.world), New("g", s.world)
	return s
}

// step is one thing that happens.
func (s *simulation) step() {
	if s.rng.IntN(3) == 0 {
		s.advance(s.now + s.rng.Int64N(400))
	}
	switch dice := s.rng.IntN(1000); {
	case dice < 2:
		s.crash()
	case dice < 30 && len(s.processes) < 12:
		s.started++
		s.processes = append(s.processes, newProcess(s.rng, s.started, 3))
	case dice < 40:
		s.adminLeaves()
	default:
		if len(s.processes) > 0 {
			s.act(s.processes[s.rng.IntN(len(s.processes))])
		}
	}
}

// act has a process do something, mostly what it should.
func (s *simulation) act(p *process) {
	switch dice := s.rng.IntN(1000); {
	case dice < 8:
		p.dead = true
	case dice < 16 && p.asked == 0 && p.id != "":
		s.ask(p, p.leave())
	case dice < 24 && p.phase == synced:
		p.change(s.rng)
		p.phase = out
	case dice < 40 && p.asked != 0:
		s.forsake(p)
	case dice < 45:
		p.lazy = !p.lazy
	case dice < 70:
		s.commit(p, p.generation-int32(s.rng.IntN(2)))
	case dice < 80 && p.generation > 0:
		stale := *p
		stale.generation--
		s.ask(nil, stale.heartbeat())
	default:
		if p.asked == 0 {
			s.ask(p, p.next(s.decision()))
		}
	}
	s.bury()
}

// forsake has a process give up the request that it waits for: its connection
// is broken, or it has become impatient.
func (s *simulation) forsake(p *process) {
	s.open[p.asked] = nil
	p.asked, p.phase = 0, out
}

// bury forgets the dead.
func (s *simulation) bury() {
	alive := s.processes[:0]
	for _, p := range s.processes {
		if !p.dead {
			alive = append(alive, p)
		} else if p.asked != 0 {
			s.open[p.asked] = nil
		}
	}
	s.processes = alive
}

func (s *simulation) adminLeaves() {
	r := kmsg.NewPtrLeaveGroupRequest()
	r.Version, r.Group = 5, "g"
	instance := fmt.Sprintf("i%d", s.rng.IntN(3))
	r.Members = []kmsg.LeaveGroupRequestMember{{InstanceID: &instance}, {MemberID: "nobody"}}
	s.ask(nil, r)
}

func (s *simulation) decision() int { s.decided++; return s.decided }

// commit checks that a commit is never accepted from a generation that has been
// followed by another.
func (s *simulation) commit(p *process, generation int32) {
	if p.id == "" || generation < 0 {
		return
	}
	if s.group.CheckCommit(s.now, p.id, p.instance, generation) == nil {
		require.Equal(s.t, s.group.Generation(), generation)
		require.GreaterOrEqual(s.t, generation, s.syncedUpTo)
	}
	requireWhole(s.t, s.group)
}

// crash throws the group away and reads the log, with a limit of members that
// may have changed.
func (s *simulation) crash() {
	s.group = s.replayed()
	// A generation in which nobody had decided yet is not known any more.
	for g := s.group.Generation() + 1; s.leaders[g] != ""; g++ {
		delete(s.leaders, g)
	}
	for to, p := range s.open {
		if p != nil {
			p.asked, p.phase = 0, out
		}
		delete(s.open, to)
	}
	s.world.settings.MaxSize = int32(4 + s.rng.IntN(8))
	s.do(func(o *step.Output) { s.group.Loaded(s.now, o) })
}

func (s *simulation) replayed() *Group {
	g := New("g", s.world)
	for _, r := range s.log {
		g.Apply(r)
	}
	require.Equal(s.t, durable(s.follower), durable(g))
	return g
}

// advance lets time go by, with all that is due on the way.
func (s *simulation) advance(to int64) {
	for s.group.Deadline() <= to {
		s.now = max(s.now, s.group.Deadline())
		s.do(func(o *step.Output) { s.group.Tick(s.now, o) })
		require.Greater(s.t, s.group.Deadline(), s.now)
	}
	s.now = to
}

// rest lets time go by in which the living do what they should, each second.
func (s *simulation) rest(ms int64) {
	s.bury()
	for end := s.now + ms; s.now < end; s.advance(s.now + 500) {
		for _, p := range s.processes {
			if p.asked == 0 && !p.dead {
				s.ask(p, p.next(s.decision()))
			}
		}
		s.bury()
	}
}

// settle checks that a group that is left in peace is stable or empty within
// the session timeout and the rebalance timeout.
func (s *simulation) settle() {
	s.world.settings.MaxSize = 100
	for _, p := range s.processes {
		p.lazy = false
	}
	s.rest(simSessionMs + simRebalanceMs + 3000)
	require.Contains(s.t, []State{Stable, Empty}, s.group.State())
	require.Empty(s.t, s.open)
	for _, p := range s.processes {
		require.Equal(s.t, synced, p.phase, "%s is not in the group", p.name)
	}
	require.Equal(s.t, len(s.processes), s.group.Size())
}

// durable is what a record of the group says.
func durable(g *Group) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %d %s/%s %s %d\n", g.state, g.generation, g.protocolType, g.protocol, g.leader, g.since)
	for _, m := range g.members.inOrder {
		metadata, _ := m.metadata(g.protocol)
		fmt.Fprintf(&b, "%s%s %v %d %d %q %q\n", m.id, instance(m.instanceID), m.client, m.sessionTimeoutMillis, m.rebalanceTimeout, metadata, m.assignment)
	}
	return b.String()
}
