package consumer

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"odradek.dev/core/internal/group/grouplog"
	"odradek.dev/core/internal/group/step"
	"odradek.dev/sdk/assignor"
)

// assigning is an assignment that is being computed.
type assigning struct {
	epoch    int32
	assignor string
	snapshot assignor.Snapshot
	// ids has the topics of the snapshot, by name.
	ids map[string][16]byte
	// fallback is set where the built-in assignor decided in place of this one.
	fallback bool
}

// decider says who decided.
func (a *assigning) decider() string {
	if a.fallback {
		return fmt.Sprintf("the built-in assignor, since %q failed,", a.assignor)
	}
	return fmt.Sprintf("assignor %q", a.assignor)
}

// assignor is the one that most members ask for; of several the first in
// group.consumer.assignors, which is also the one where nobody asks.
func (g *Group) assignor() string {
	names := g.settings().ConsumerAssignors
	if len(names) == 0 {
		return ""
	}
	return slices.MaxFunc(names, func(a, b string) int { return cmp.Compare(g.counts.assignors[a], g.counts.assignors[b]) })
}

// assign asks for the target assignment of the group epoch, unless one is being
// computed or the last is not old enough.
func (g *Group) assign(now int64, out *step.Output) {
	g.rebalances(now)
	if now < g.assignAt() {
		return
	}
	g.assigning = g.snapshot()
	out.Assigns = append(out.Assigns, step.Assign{Group: g.id, Epoch: g.epoch, Assignor: g.assigning.assignor, Snapshot: g.assigning.snapshot})
}

// assignAt is when the next assignment is due.
func (g *Group) assignAt() int64 {
	if g.assigning != nil || g.epoch <= g.targetEpoch || len(g.members) == 0 {
		return step.Never
	}
	if g.targetTime == 0 {
		return g.retryAt
	}
	return max(g.retryAt, g.targetTime+int64(g.settings().ConsumerAssignmentIntervalMs))
}

func (g *Group) snapshot() *assigning {
	a := &assigning{epoch: g.epoch, assignor: g.assignor(), ids: map[string][16]byte{}, snapshot: assignor.Snapshot{Group: g.id}}
	names := map[[16]byte]string{}
	for _, name := range sortedKeys(g.subscribed()) {
		topic, exists := g.world.Topic(name)
		if !exists {
			continue
		}
		a.ids[name], names[topic.ID] = topic.ID, name
		a.snapshot.Topics = append(a.snapshot.Topics, assignor.Topic{
			Name: name, Partitions: topic.Partitions, Racks: topic.Racks, Lags: g.world.Lags(g.id, name),
		})
	}
	members := g.inOrder()
	a.snapshot.Members = make([]assignor.Member, len(members))
	for i, m := range members {
		a.snapshot.Members[i] = g.portrait(m, names)
	}
	return a
}

// portrait is a member as an assignor sees it. What it had before is its target,
// which it may not have reached yet.
func (g *Group) portrait(m *member, names map[[16]byte]string) assignor.Member {
	portrait := assignor.Member{ID: m.id, InstanceID: m.instance(), Topics: g.wanted(m), UserData: userData(m.info), Generation: -1}
	if m.info.RackID != nil {
		portrait.Rack = *m.info.RackID
	}
	if !m.targeted {
		return portrait
	}
	portrait.Generation = g.targetEpoch
	for part := range eachTopic(m.target) {
		if name, exists := names[part[0].topic]; exists {
			portrait.Owned = append(portrait.Owned, assignor.TopicPartitions{Topic: name, Partitions: partitionsOf(part)})
		}
	}
	slices.SortFunc(portrait.Owned, func(a, b assignor.TopicPartitions) int { return cmp.Compare(a.Topic, b.Topic) })
	return portrait
}

// Assigned is the result of a [step.Assign]. An error leaves the members with
// what they have; the assignor is asked again after a while.
func (g *Group) Assigned(now int64, epoch int32, assignment assignor.Assignment, err error, out *step.Output) {
	a := g.assigning
	if a == nil || a.epoch != epoch {
		return
	}
	g.assigning = nil
	if err == nil && len(assignment.Members) != len(a.snapshot.Members) {
		err = fmt.Errorf("the result is for %d members and not for %d", len(assignment.Members), len(a.snapshot.Members))
	}
	g.decided.note(a, err)
	if err != nil {
		out.Notes = append(out.Notes, fmt.Sprintf("group %s: assignor %q gave no assignment for epoch %d, so the members keep what they have: %v", g.id, a.assignor, epoch, err))
		g.retryAt = now + max(int64(g.settings().ConsumerAssignmentIntervalMs), retryMillis)
		g.answerWaiting(now, g.epoch, out)
		return
	}
	out.Notes = append(out.Notes, fmt.Sprintf("group %s: %s assigned %d topics to %d members for epoch %d", g.id, a.decider(), len(a.snapshot.Topics), len(a.snapshot.Members), epoch))
	g.setTarget(now, a, assignment, out)
	g.assign(now, out)
	g.answerWaiting(now, epoch, out)
}

// retryMillis is the least time between two questions to an assignor that fails.
const retryMillis = 1000

// setTarget makes the records of a new target assignment, for the members for
// which it is one.
func (g *Group) setTarget(now int64, a *assigning, assignment assignor.Assignment, out *step.Output) {
	for i, asked := range a.snapshot.Members {
		m := g.members[asked.ID]
		// A static member may have come back under another id meanwhile.
		if m == nil && asked.InstanceID != "" {
			m = g.statics[asked.InstanceID]
		}
		if m == nil {
			continue
		}
		target := a.places(assignment.Members[i].Partitions)
		if m.targeted && slices.Equal(target, m.target) {
			m.shift = shift{kept: int32(len(target))}
			continue
		}
		m.shift = shiftOf(m.target, target)
		g.emit(out, grouplog.TargetMemberKey{Group: g.id, Member: m.id}, &grouplog.TargetMember{Partitions: byTopic(target)})
	}
	g.emit(out, grouplog.TargetKey{Group: g.id}, &grouplog.Target{Epoch: a.epoch, Timestamp: now})
}

func (a *assigning) places(partitions []assignor.TopicPartitions) []place {
	var places []place
	for _, tp := range partitions {
		id := a.ids[tp.Topic]
		places = slices.Grow(places, len(tp.Partitions))
		for _, partition := range tp.Partitions {
			places = append(places, place{id, partition})
		}
	}
	slices.SortFunc(places, place.compare)
	return places
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
