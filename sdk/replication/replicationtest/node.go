package replicationtest

import (
	"fmt"
	"slices"
	"time"

	"odradek.dev/sdk/replication"
)

// batch is one proposal in a log. Its value is the request that wrote it.
type batch struct {
	base, end int64
	epoch     int32
	value     uint64
}

type timer struct {
	tag string
	due time.Duration
}

// node is the host of one replica.
type node struct {
	id    int32
	world *world

	// first, durable and log are the disk; hard is what PutHard kept.
	first, durable int64
	log            []batch
	hard           []byte

	up            bool
	machine, twin replication.Machine
	role          replication.Effect
	visible       int64
	// open is the acks of proposals that are not answered, lastAck the last that
	// was acknowledged.
	open    map[uint64]int16
	lastAck uint64
	timers  []timer
	updates []replication.Event
	syncing bool
	syncEnd int64
	// arrived are the batches of the message of this step.
	arrived []batch
}

func (n *node) end() int64 {
	if len(n.log) == 0 {
		return n.first
	}
	return n.log[len(n.log)-1].end
}

func (n *node) start(record replication.Record) error {
	begin := replication.Start{
		Self: n.id, Record: record, Hard: slices.Clone(n.hard), Seed: n.world.rng.Uint64(),
		Log: replication.LogView{Start: n.first, Durable: min(n.durable, n.end()), End: n.end()},
	}
	for _, b := range n.log {
		if e := begin.Log.Epochs; len(e) == 0 || e[len(e)-1].Epoch < b.epoch {
			begin.Log.Epochs = append(e, replication.EpochStart{Epoch: b.epoch, Start: b.base})
		}
	}
	var err error
	if n.machine, err = n.world.open(begin); err != nil {
		return fmt.Errorf("open: %w", err)
	}
	n.twin = nil
	if n.world.twins {
		if n.twin, err = n.world.open(begin); err != nil {
			return fmt.Errorf("open: %w", err)
		}
	}
	n.up, n.visible, n.role = true, n.first, replication.Effect{}
	n.open, n.lastAck = map[uint64]int16{}, 0
	return n.step()
}

// crash kills the process. The power goes with it if the strategy says that
// it rests on Sync: then what was not synced is gone.
func (n *node) crash() {
	n.up, n.machine, n.twin, n.timers, n.updates, n.syncing = false, nil, nil, nil, nil, false
	if n.world.contract.NeedsFsync && n.world.rng.IntN(2) == 0 {
		n.cut(n.durable)
	}
	n.world.tell("node %d crashes, its log ends at %d", n.id, n.end())
}

// cut removes the log from offset on.
func (n *node) cut(offset int64) {
	for len(n.log) > 0 && n.log[len(n.log)-1].end > offset {
		n.log = n.log[:len(n.log)-1]
	}
	n.durable = min(n.durable, n.end())
	n.syncEnd = min(n.syncEnd, n.end())
}

func (n *node) takeUpdate() error {
	if !n.up || len(n.updates) == 0 {
		return nil
	}
	e := n.updates[0]
	n.updates = n.updates[1:]
	return n.step(e)
}

// synced is the disk's answer to the Sync under way.
func (n *node) synced() error {
	if !n.up || !n.syncing {
		return nil
	}
	n.syncing = false
	n.durable = max(n.durable, n.syncEnd)
	return n.step(replication.Event{Kind: replication.EventDurable, Offset: n.durable})
}

// trim is retention: it removes what is visible.
func (n *node) trim() error {
	if !n.up || len(n.log) == 0 || n.log[0].end > n.visible {
		return nil
	}
	n.first = n.log[0].end
	n.log = n.log[1:]
	n.durable = max(n.durable, n.first)
	return n.step(replication.Event{Kind: replication.EventTrimmed, Base: n.first})
}

// step gives events to the machine and carries out what follows. A host may go
// on with the answer of an Append at once or after the other effects.
func (n *node) step(events ...replication.Event) error {
	if !n.up {
		return nil
	}
	effects, err := n.ask(events)
	if err != nil {
		return fmt.Errorf("node %d: %w", n.id, err)
	}
	atOnce := n.world.rng.IntN(2) == 0
	var later []replication.Event
	for i := range effects {
		n.record("effect", &effects[i])
		answer, err := n.carryOut(&effects[i])
		switch {
		case err != nil:
			return fmt.Errorf("node %d: %w", n.id, err)
		case answer == nil:
		case !atOnce:
			later = append(later, *answer)
		default:
			if err := n.step(*answer); err != nil {
				return err
			}
		}
	}
	if len(later) == 0 {
		return nil
	}
	return n.step(later...)
}

// ask is a step of the machine and of its twin, if it has one.
func (n *node) ask(events []replication.Event) ([]replication.Effect, error) {
	for i := range events {
		n.record("event", &events[i])
	}
	effects, err := n.machine.Step(n.world.now, events, nil)
	if n.twin != nil {
		twin, twinErr := n.twin.Step(n.world.now, events, nil)
		if one, other := describeAll(effects, err), describeAll(twin, twinErr); one != other {
			return nil, fmt.Errorf("two machines that were told the same differ:\n%s\n%s", one, other)
		}
	}
	return effects, err
}

// record adds to the digest and to the story.
func (n *node) record(what string, v any) {
	text := describe(v)
	fmt.Fprintf(n.world.digest, "%d %s%s\n", n.id, what, text)
	n.world.tell("node %d %s%s", n.id, what, text)
}
