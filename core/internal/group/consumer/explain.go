package consumer

import (
	"slices"

	"odradek.dev/core/internal/group/step"
)

// decision is the last of an assignor in this run of the machine; the log has
// only what it came to.
type decision struct {
	// epoch is 0 if there was none.
	epoch    int32
	assignor string
	fallback bool
	// failure is why there was no other since, empty if there was no attempt.
	failure string
}

func (d *decision) note(a *assigning, err error) {
	if err != nil {
		d.failure = err.Error()
		return
	}
	*d = decision{epoch: a.epoch, assignor: a.assignor, fallback: a.fallback}
}

// FellBack says that the assignment for an epoch, which comes next by
// [Group.Assigned], is the built-in assignor's, since the one that was asked failed.
func (g *Group) FellBack(epoch int32) {
	if a := g.assigning; a != nil && a.epoch == epoch {
		a.fallback = true
	}
}

// shift is what a decision changed for a member.
type shift struct{ kept, gained, lost int32 }

func shiftOf(before, after []place) shift {
	s := shift{lost: int32(len(before))}
	for _, p := range after {
		if _, had := slices.BinarySearchFunc(before, p, place.compare); had {
			s.kept++
			s.lost--
		} else {
			s.gained++
		}
	}
	return s
}

// rebalances notes that the group is on its way to another assignment, or has
// nobody left to get one.
func (g *Group) rebalances(now int64) {
	switch {
	case len(g.members) == 0:
		g.rebalanceAt = 0
	case g.rebalanceAt == 0 && g.epoch > g.targetEpoch:
		g.rebalanceAt = now
	}
}

// endRebalance is called when a member has come nearer to its target: it may
// have been the last.
func (g *Group) endRebalance(now int64, out *step.Output) {
	if g.rebalanceAt == 0 || g.epoch > g.targetEpoch {
		return
	}
	for _, m := range g.members {
		if !m.isReconciledTo(g.targetEpoch) {
			return
		}
	}
	out.Rebalances = append(out.Rebalances, step.Rebalance{Type: step.Consumer, TookMs: now - g.rebalanceAt})
	g.rebalanceAt = 0
}

// Explain says who decided what the members have, and how far they have come.
func (g *Group) Explain() step.Explanation {
	e := step.Explanation{
		Group: g.id, Type: step.Consumer, State: g.State(), Epoch: g.epoch, TargetEpoch: g.targetEpoch, Assignor: g.assignor(),
		DecidedAtMs: -1, Failure: g.decided.failure,
	}
	if g.targetTime > 0 {
		e.DecidedAtMs = g.targetTime
	}
	if e.Known = g.decided.epoch == g.targetEpoch && g.decided.epoch > 0; e.Known {
		e.Assignor, e.Fallback = g.decided.assignor, g.decided.fallback
	}
	for _, m := range g.inOrder() {
		e.Members = append(e.Members, g.explainMember(m))
	}
	return e
}

func (g *Group) explainMember(m *member) step.ExplainedMember {
	one := step.ExplainedMember{
		ID: m.id, Instance: m.instance(), Client: step.Client{ID: m.info.ClientID, Host: m.info.ClientHost}, Topics: m.topics,
		Expression: m.regex(), Epoch: m.current.epoch, Kept: int(m.shift.kept), Gained: int(m.shift.gained), Lost: int(m.shift.lost),
	}
	if m.info.RackID != nil {
		one.Rack = *m.info.RackID
	}
	if m.info.ServerAssignor != nil {
		one.Assignor = *m.info.ServerAssignor
	}
	explain := func(p place, state step.PartitionState, holder string) {
		if name, exists := g.world.TopicName(p.topic); exists {
			one.Partitions = append(one.Partitions, step.ExplainedPartition{Topic: name, Partition: p.partition, State: state, Holder: holder})
		}
	}
	kept, dropped := split(m.current.assigned, m.target)
	for _, h := range kept {
		explain(h.place, step.PartitionHeld, "")
	}
	for _, h := range merge(dropped, m.current.revoking) {
		explain(h.place, step.PartitionRevoked, "")
	}
	for _, p := range m.target {
		if _, has := find(m.current.assigned, p); has {
			continue
		}
		if owner := g.owners[p]; owner != nil && owner != m {
			explain(p, step.PartitionAwaited, owner.id)
		} else {
			explain(p, step.PartitionDue, "")
		}
	}
	return one
}
