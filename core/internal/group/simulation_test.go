package group

import (
	"container/heap"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/grouplog"
	"odradek.dev/core/internal/group/grouptest"
	"odradek.dev/core/internal/group/step"
	"odradek.dev/sdk/assignor"
)

var (
	firstSeed = flag.Uint64("seed", 0, "the first seed of TestSimulation")
	seeds     = flag.Uint64("seeds", 50, "the number of seeds of TestSimulation")
)

// TestSimulation runs groups of members of both protocols: static and dynamic,
// slow, dying without a word, with requests that are late, come twice or lose
// their answers. Topics come, grow and go, admins delete and commit, assignors
// fail, regular expressions are resolved late or not at all, and the coordinator
// starts anew from its log. What holds all the time is in
// simulation_check_test.go. From time to time it gets quiet, and then every group
// is stable or empty in the time that sessions and rebalances may take.
//
// Each seed is a subtest; -seed and -seeds choose others.
func TestSimulation(t *testing.T) {
	var steps atomic.Int64
	t.Run("seeds", func(t *testing.T) {
		for seed := *firstSeed; seed < *firstSeed+*seeds; seed++ {
			t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
				t.Parallel()
				s := newSimulation(t, seed)
				for s.steps < 20_000 {
					s.disturb(1500)
					s.settle()
				}
				steps.Add(int64(s.steps))
			})
		}
	})
	t.Logf("%d steps", steps.Load())
	require.GreaterOrEqual(t, steps.Load(), 20_000*int64(*seeds))
}

// simulation is a machine, its clients, and the network between them.
type simulation struct {
	*broker
	*checker
	t       *testing.T
	draw    *rand.Rand
	machine *Machine
	now     int64
	steps   int
	quiet   bool
	log     []grouplog.Record
	token   step.Token
	queue   events
	clients []*simClient
	// staticTopics are by group and instance.
	staticTopics map[string][]string
	// open has who waits for the answer to a token.
	open map[step.Token]waiting
}

// waiting is a request without an answer. client is nil if nobody listens.
type waiting struct {
	request kmsg.Request
	client  *simClient
}

const (
	// simSession and simRebalance are the time-outs of all members.
	simSession   = 10_000
	simRebalance = 5_000
	// simDelay is the most that a request is late.
	simDelay = 12_000
)

func newSimulation(t *testing.T, seed uint64) *simulation {
	s := &simulation{
		broker: newBroker(), t: t, draw: rand.New(rand.NewPCG(seed, 1)), now: 1_000_000, open: map[step.Token]waiting{},
		staticTopics: map[string][]string{},
	}
	s.checker = newChecker(t)
	s.Config.ConsumerSessionTimeoutMs = simSession
	s.Config.ConsumerAssignmentIntervalMs = []int32{0, 500}[seed%2]
	s.Config.InitialRebalanceDelayMs = []int32{0, 0, 1000}[seed%3]
	s.Config.ConsumerMigrationPolicy = []string{"bidirectional", "bidirectional", "upgrade", "disabled"}[seed%4]
	s.Config.OffsetsRetentionMs, s.Config.OffsetsRetentionCheckIntervalMs = 300_000, 60_000
	s.machine = New(s.broker)
	s.machine.Loaded(s.now)
	for range 3 {
		s.changeTopic()
	}
	return s
}

func (s *simulation) likely(percent int) bool { return s.draw.IntN(100) < percent }

// at has f done at a time.
func (s *simulation) at(at int64, f func()) {
	heap.Push(&s.queue, event{at, s.queue.next(), f})
}

// run does everything that is due until a time, in its order.
func (s *simulation) run(until int64) {
	for {
		deadline := s.machine.Deadline()
		next := min(deadline, s.queue.first())
		if next > until {
			break
		}
		s.now = max(s.now, next)
		if deadline == next {
			s.do(func() step.Output { return s.machine.Tick(s.now) })
			continue
		}
		heap.Pop(&s.queue).(event).do()
	}
	s.now = until
}

// do is one step of the machine.
func (s *simulation) do(f func() step.Output) {
	out := f()
	s.steps++
	s.log = append(s.log, out.Records...)
	s.follow(out.Records)
	for _, asked := range out.Assigns {
		s.at(s.now+s.draw.Int64N(300), s.answerTo(s.machine, asked))
	}
	for _, asked := range out.Resolves {
		s.resolve(asked)
	}
	for _, a := range out.Answers {
		w, open := s.open[a.To]
		require.True(s.t, open, "token %d was answered twice, or never given", a.To)
		delete(s.open, a.To)
		s.checkAnswer(s.machine, w.request, a.Response)
		switch {
		case w.client == nil:
		case !s.quiet && s.likely(4):
			w.client.lose(w.request)
		default:
			w.client.take(w.request, a.Response)
		}
	}
}

// answerTo gives the machine that asked for it an assignment, unless that is no
// more.
func (s *simulation) answerTo(m *Machine, asked step.Assign) func() {
	return func() {
		if m != s.machine {
			return
		}
		answer := step.Assigned{Assign: asked}
		if answer.Assignment = grouptest.Spread(asked.Snapshot); !s.quiet && s.likely(5) {
			answer.Err, answer.Assignment = fmt.Errorf("it hung"), assignor.Assignment{}
		}
		s.do(func() step.Output { return m.Assigned(s.now, answer) })
	}
}

// resolve answers a question about regular expressions by the topics of its time:
// soon, late, or twice, and not always. The answer may come to a machine that did
// not ask.
func (s *simulation) resolve(asked step.Resolve) {
	answer := s.match(s.t, asked)
	if !s.quiet && s.likely(5) {
		answer.Topics, answer.Err = nil, fmt.Errorf("it was cancelled")
	}
	late := s.draw.Int64N(20)
	if !s.quiet && s.likely(10) {
		late = s.draw.Int64N(simDelay)
	}
	give := func() { s.do(func() step.Output { return s.machine.Resolved(s.now, answer) }) }
	s.at(s.now+late, give)
	if s.likely(10) {
		s.at(s.now+s.draw.Int64N(2*simDelay), give)
	}
}

// send brings a request to the machine, perhaps late, and perhaps once more. The
// requests of a client stay in their order, if it cares for it.
func (s *simulation) send(c *simClient, q kmsg.Request, ordered bool) {
	at := s.now
	late := 4
	if !ordered {
		late = 20
	}
	if !s.quiet && s.likely(late) {
		at += s.draw.Int64N(simDelay)
	}
	if ordered {
		at = max(at, c.sent)
		c.sent = at
	}
	s.at(at, func() { s.deliver(c, q) })
	if !s.quiet && s.likely(3) {
		s.at(at, func() { s.deliver(nil, q) })
	}
}

func (s *simulation) deliver(c *simClient, q kmsg.Request) {
	s.token++
	s.open[s.token] = waiting{q, c}
	s.said(s.machine, q)
	s.do(func() step.Output { return s.machine.Handle(s.now, s.token, step.Client{ID: "c", Host: "/h"}, q) })
}

// disturb runs for some steps in which anything may happen.
func (s *simulation) disturb(steps int) {
	s.quiet = false
	for until := s.steps + steps; s.steps < until; {
		s.run(s.now + s.draw.Int64N(1000))
		switch n := s.draw.IntN(100); {
		case n < 12 && len(s.clients) < 14:
			s.newClient(nil)
		case n < 15:
			s.changeTopic()
		case n < 17:
			s.crash()
		case n < 20:
			s.administer()
		case n < 30 && len(s.clients) > 0:
			s.clients[s.draw.IntN(len(s.clients))].disturb()
		}
	}
}

// settle lets everybody go on undisturbed for as long as a group may take.
func (s *simulation) settle() {
	s.quiet = true
	s.run(s.now + simDelay + simSession + simRebalance + 10_000)
	require.Empty(s.t, s.open, "requests that nobody answered")
	s.checkSettled()
}

func (s *simulation) changeTopic() {
	name := fmt.Sprintf("t%d", s.draw.IntN(4))
	topic, exists := s.Topics[name]
	var gone []step.Topic
	if exists && (topic.Partitions > 8 || s.likely(40)) {
		gone = append(gone, s.Remove(name))
	} else {
		s.Create(name, topic.Partitions+1+s.draw.Int32N(3))
	}
	s.do(func() step.Output { return s.machine.TopicsChanged(s.now, gone) })
}

// crash builds the machine anew from its log, which may have been compacted.
// Whoever waits for an answer is told to look for the coordinator.
func (s *simulation) crash() {
	log := s.log
	if s.likely(70) {
		log = compacted(log, s.likely(50))
		s.log = log
	}
	before := s.machine
	s.machine = replay(s.t, s.broker, log)
	requireSame(s.t, before, s.machine)
	for _, token := range sortedTokens(s.open) {
		if w := s.open[token]; w.client != nil {
			w.client.lose(w.request)
		}
	}
	clear(s.open)
	s.do(func() step.Output { return s.machine.Loaded(s.now) })
}

func sortedTokens(open map[step.Token]waiting) []step.Token {
	var tokens []step.Token
	for token := range open {
		tokens = append(tokens, token)
	}
	slices.Sort(tokens)
	return tokens
}

// event is something that is due; of two at one time the first that was made
// comes first.
type event struct {
	at    int64
	order int
	do    func()
}

type events struct {
	heap []event
	made int
}

func (e *events) next() int { e.made++; return e.made }

func (e *events) first() int64 {
	if len(e.heap) == 0 {
		return step.Never
	}
	return e.heap[0].at
}

func (e *events) Len() int { return len(e.heap) }

func (e *events) Less(i, j int) bool {
	a, b := e.heap[i], e.heap[j]
	return a.at < b.at || a.at == b.at && a.order < b.order
}

func (e *events) Swap(i, j int) { e.heap[i], e.heap[j] = e.heap[j], e.heap[i] }
func (e *events) Push(x any)    { e.heap = append(e.heap, x.(event)) }

func (e *events) Pop() any {
	last := e.heap[len(e.heap)-1]
	e.heap = e.heap[:len(e.heap)-1]
	return last
}
