package replicationtest

import (
	"context"
	"fmt"
	"hash"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"odradek.dev/sdk/replication"
)

// chaosActions is how many things happen before all is healed.
const chaosActions = 500

// maxRounds is far more than any settling takes that ends.
const maxRounds = 10_000

// world is one partition with its replicas and all that is around them.
type world struct {
	strategy replication.Strategy
	contract replication.Contract
	rng      *rand.Rand
	now      time.Duration
	healed   bool

	nodes    []*node
	messages []message
	// record is the control plane's; live is what it believes; changes are
	// the conditional writes that it has not seen yet.
	record  replication.Record
	live    map[int32]bool
	changes []change

	requests uint64
	facts    facts
	// digest is of all events and effects, in order.
	digest hash.Hash64
	// twins has every machine run beside another one that is told the same.
	twins bool
	// story is what happened, nil if nobody reads it.
	story *strings.Builder
}

type message struct {
	from, to int32
	payload  []byte
	batches  []batch
	bounds   replication.Range
}

type change struct {
	from   int32
	record replication.Record
}

func newWorld(s replication.Strategy, replicas []int32, minInSync int32, seed uint64) *world {
	w := &world{
		strategy: s, contract: s.Contract(), rng: rand.New(rand.NewPCG(seed, 1)), digest: fnv.New64a(),
		live: map[int32]bool{}, facts: facts{values: map[int64]batch{}},
		record: replication.Record{
			Version: 1, Leader: -1, Replicas: replicas, InSync: replicas, MinInSync: minInSync,
		},
	}
	for _, id := range replicas {
		w.nodes = append(w.nodes, &node{id: id, world: w})
	}
	return w
}

func (w *world) tell(format string, args ...any) {
	if w.story != nil {
		fmt.Fprintf(w.story, "%v "+format+"\n", append([]any{w.now}, args...)...)
	}
}

// run is chaos, then peace in which everything must come right.
func (w *world) run() error {
	for _, n := range w.nodes {
		if err := w.restart(n); err != nil {
			return err
		}
	}
	for range chaosActions {
		w.now += time.Duration(w.rng.IntN(int(2 * time.Millisecond)))
		if err := w.something(); err != nil {
			return err
		}
	}
	return w.heal()
}

// something is one thing of those that can happen.
func (w *world) something() error {
	n := w.nodes[w.rng.IntN(len(w.nodes))]
	switch p := w.rng.IntN(100); {
	case p < 22:
		return w.propose(n)
	case p < 62:
		return w.deliver()
	case p < 72:
		return n.takeUpdate()
	case p < 78:
		return w.decide()
	case p < 86:
		return n.synced()
	case p < 91:
		return w.ring()
	case p < 92:
		// Everything stands still for longer than any patience.
		w.now += time.Duration(w.rng.IntN(int(time.Minute)))
		return w.ring()
	case p < 93:
		return n.trim()
	case p < 97:
		return w.notice(n)
	case n.up:
		n.crash()
		return nil
	default:
		return w.restart(n)
	}
}

func (w *world) propose(n *node) error {
	if !n.up || !n.role.Writable && w.rng.IntN(4) > 0 {
		return nil
	}
	w.requests++
	acks := []int16{-1, -1, -1, 1, 0}[w.rng.IntN(5)]
	n.open[w.requests] = acks
	return n.step(replication.Event{Kind: replication.EventPropose, Request: w.requests, Acks: acks})
}

// deliver takes any message; some are lost, some stay to arrive again.
func (w *world) deliver() error {
	if len(w.messages) == 0 {
		return nil
	}
	i := w.rng.IntN(len(w.messages))
	if w.healed {
		i = 0
	}
	m := w.messages[i]
	fate := w.rng.IntN(20)
	if fate > 0 || w.healed {
		w.messages = slices.Delete(w.messages, i, i+1)
	}
	n := w.node(m.to)
	if !n.up || fate < 3 && fate > 0 && !w.healed {
		return nil
	}
	n.arrived = m.batches
	return n.step(replication.Event{Kind: replication.EventMessage, Peer: m.from, Payload: m.payload, Range: m.bounds})
}

// ring makes the earliest timer of all run out.
func (w *world) ring() error {
	var who *node
	which := 0
	for _, n := range w.nodes {
		for i, t := range n.timers {
			if who == nil || t.due < who.timers[which].due {
				who, which = n, i
			}
		}
	}
	if who == nil {
		return nil
	}
	t := who.timers[which]
	who.timers = slices.Delete(who.timers, which, which+1)
	w.now = max(w.now, t.due)
	return who.step(replication.Event{Kind: replication.EventTimer, Tag: t.tag})
}

func (w *world) node(id int32) *node {
	for _, n := range w.nodes {
		if n.id == id {
			return n
		}
	}
	return nil
}

// heal ends the chaos: all nodes run, nothing is lost, and within an hour of
// the world's time a proposal must be acknowledged and all replicas be equal.
func (w *world) heal() error {
	w.healed = true
	w.tell("all is healed")
	for _, n := range w.nodes {
		if !n.up {
			if err := w.restart(n); err != nil {
				return err
			}
		}
		w.live[n.id] = true
	}
	if err := w.elect(); err != nil {
		return err
	}
	for end := w.now + time.Hour; w.now < end; {
		if err := w.settle(); err != nil {
			return err
		}
		if w.facts.final && w.equal() == nil {
			return w.facts.check(w)
		}
		before := w.now
		if leader := w.node(w.record.Leader); leader != nil && !w.facts.final {
			if err := w.lastProposal(leader); err != nil {
				return err
			}
		} else if err := w.ring(); err != nil {
			return err
		}
		if w.now == before {
			w.now += time.Second // nobody waits for anything sooner
		}
	}
	if err := w.equal(); err != nil {
		return err
	}
	return fmt.Errorf("no proposal is acknowledged an hour after all was healed")
}

func (w *world) lastProposal(leader *node) error {
	w.requests++
	w.facts.last = w.requests
	leader.open[w.requests] = -1
	if err := leader.step(replication.Event{Kind: replication.EventPropose, Request: w.requests, Acks: -1}); err != nil {
		return err
	}
	if err := w.settle(); err != nil {
		return err
	}
	return w.ring()
}

// settle lets happen all that needs no time.
func (w *world) settle() error {
	for rounds := 0; w.busy(); rounds++ {
		if rounds > maxRounds {
			return fmt.Errorf("the replicas talk without end at one moment")
		}
		for range len(w.messages) {
			if err := w.deliver(); err != nil {
				return err
			}
		}
		if err := w.decide(); err != nil {
			return err
		}
		for _, n := range w.nodes {
			if err := n.takeUpdate(); err != nil {
				return err
			}
			if err := n.synced(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *world) busy() bool {
	for _, n := range w.nodes {
		if len(n.updates) > 0 || n.syncing {
			return true
		}
	}
	return len(w.messages) > 0 || len(w.changes) > 0
}

func (w *world) open(start replication.Start) (replication.Machine, error) {
	return w.strategy.Open(context.Background(), start)
}
