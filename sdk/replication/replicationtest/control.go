package replicationtest

import (
	"context"
	"fmt"
	"slices"

	"odradek.dev/sdk/replication"
)

// notice lets the control plane see whether a node runs, or now and then
// believe that one is dead that is not.
func (w *world) notice(n *node) error {
	w.live[n.id] = n.up && (!w.live[n.id] || w.rng.IntN(3) > 0)
	w.tell("node %d is taken for alive: %v", n.id, w.live[n.id])
	return w.elect()
}

func (w *world) elect() error {
	var live replication.Liveness
	for _, n := range w.nodes {
		if w.live[n.id] {
			live.Nodes = append(live.Nodes, n.id)
		}
	}
	slices.Sort(live.Nodes)
	next, err := w.strategy.Elect(context.Background(), w.record, live)
	if err != nil {
		return fmt.Errorf("elect: %w", err)
	}
	if err := checkElected(w.record, next); err != nil {
		return err
	}
	if w.contract.ElectsItself && next.Version != w.record.Version {
		return fmt.Errorf("a strategy that elects itself changed the record to %+v", next)
	}
	if next.Version > w.record.Version {
		w.publish(next)
	}
	return nil
}

// checkElected: versions and epochs only grow, by one, and the epoch does with
// the leader.
func checkElected(before, after replication.Record) error {
	changed := after.Leader != before.Leader || !slices.Equal(after.InSync, before.InSync) || after.LeaderEpoch != before.LeaderEpoch
	switch {
	case !slices.Equal(after.Replicas, before.Replicas):
		return fmt.Errorf("an election changed the replicas from %v to %v", before.Replicas, after.Replicas)
	case changed && after.Version <= before.Version || !changed && after.Version != before.Version:
		return fmt.Errorf("an election made of %+v with the version %d", before, after.Version)
	case after.LeaderEpoch < before.LeaderEpoch || after.Leader != before.Leader && after.LeaderEpoch == before.LeaderEpoch:
		return fmt.Errorf("an election of %d after %d went from epoch %d to %d", after.Leader, before.Leader, before.LeaderEpoch, after.LeaderEpoch)
	}
	return nil
}

// publish makes r the record and sends it to all that run.
func (w *world) publish(r replication.Record) {
	w.record = r
	w.tell("record %+v", r)
	for _, n := range w.nodes {
		if n.up {
			n.updates = append(n.updates, replication.Event{Kind: replication.EventRecord, Record: &r})
		}
	}
}

// decide takes the oldest conditional write.
func (w *world) decide() error {
	if len(w.changes) == 0 {
		return nil
	}
	c := w.changes[0]
	w.changes = w.changes[1:]
	if c.record.Version == w.record.Version+1 {
		if c.record.LeaderEpoch != w.record.LeaderEpoch && !w.contract.ElectsItself {
			return fmt.Errorf("node %d changes the leader epoch from %d to %d", c.from, w.record.LeaderEpoch, c.record.LeaderEpoch)
		}
		w.publish(c.record)
		return nil
	}
	if n := w.node(c.from); n.up {
		current := w.record
		n.updates = append(n.updates, replication.Event{Kind: replication.EventRecordRefused, Record: &current})
	}
	return nil
}

// restart starts a node. The control plane first notices that it was gone, so
// that a leader does not come back in its old epoch.
func (w *world) restart(n *node) error {
	w.live[n.id] = false
	if err := w.elect(); err != nil {
		return err
	}
	w.live[n.id] = true
	if err := w.elect(); err != nil {
		return err
	}
	w.tell("node %d starts with its log %v to %d", n.id, n.log, n.end())
	return n.start(w.record)
}
