package consumer

import (
	"fmt"

	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/grouplog"
	"odradek.dev/core/internal/group/step"
	"odradek.dev/core/internal/refusal"
)

// leave lets a member go: for good, or, a static one, until it comes back or its
// session ends. Until then it keeps what it has, and nothing is assigned anew.
func (g *Group) leave(now int64, to step.Token, r *kmsg.ConsumerGroupHeartbeatRequest, out *step.Output) *refusal.Refusal {
	m, refused := g.members[r.MemberID], (*refusal.Refusal)(nil)
	if r.InstanceID != nil {
		m, refused = g.staticMember(*r.InstanceID, r.MemberID)
	} else if m == nil {
		refused = g.unknownMember(r.MemberID)
	}
	if refused != nil {
		return refused
	}
	if r.MemberEpoch == leftForNow {
		g.leaveForNow(m, out)
	} else {
		g.remove(now, []*member{m}, out)
	}
	response := kmsg.NewPtrConsumerGroupHeartbeatResponse()
	response.MemberID, response.MemberEpoch = &m.id, r.MemberEpoch
	out.Answer(to, response)
	return nil
}

// leaveForNow frees what the member was to give up, and no more. The epochs of
// what it keeps start over, since the next epoch that it gets may be a lower one.
func (g *Group) leaveForNow(m *member, out *step.Output) {
	next := current{epoch: leftForNow, previous: m.current.previous, state: m.current.state}
	for _, h := range m.current.assigned {
		next.assigned = append(next.assigned, held{place: h.place})
	}
	g.emit(out, grouplog.CurrentKey{Group: g.id, Member: m.id}, next.record())
	g.timers.cancel(m, revokeTimer)
}

// replace puts a static member that comes back under a new id in the place of
// the old one, with what that had.
func (g *Group) replace(old *member, id string, out *step.Output) *member {
	info, target, next := old.info, old.target, old.current
	next.epoch, next.previous = 0, 0
	g.removeRecords(old, out)
	g.emit(out, grouplog.MemberKey{Group: g.id, Member: id}, info)
	g.emit(out, grouplog.TargetMemberKey{Group: g.id, Member: id}, &grouplog.TargetMember{Partitions: byTopic(target)})
	g.emit(out, grouplog.CurrentKey{Group: g.id, Member: id}, next.record())
	return g.members[id]
}

func (g *Group) removeRecords(m *member, out *step.Output) {
	g.drop(out, grouplog.CurrentKey{Group: g.id, Member: m.id})
	g.drop(out, grouplog.TargetMemberKey{Group: g.id, Member: m.id})
	g.drop(out, grouplog.MemberKey{Group: g.id, Member: m.id})
}

// remove takes members out of the group; what they had is free at once.
func (g *Group) remove(now int64, members []*member, out *step.Output) {
	if len(members) == 0 {
		return
	}
	for _, m := range members {
		g.removeRecords(m, out)
	}
	for _, m := range members {
		g.dropRegex(m.regex(), out)
	}
	if g.Downgradable() {
		// The classic group begins with the epoch that the members know.
		g.deserted = true
		return
	}
	g.bump(out)
	if len(g.members) == 0 {
		// Nothing is left to assign: the next member to join does not wait for
		// the assignment interval.
		g.emit(out, grouplog.TargetKey{Group: g.id}, &grouplog.Target{Epoch: g.epoch})
		g.assigning, g.resolving = nil, nil
		g.answerAll(now, out)
		return
	}
	g.assign(now, out)
}

// Remove makes the records that delete the group; the caller sees to it that it
// is empty. They are also what a conversion begins with.
func (g *Group) Remove(out *step.Output) {
	members := g.inOrder()
	for _, m := range members {
		g.drop(out, grouplog.CurrentKey{Group: g.id, Member: m.id})
	}
	for _, m := range members {
		g.drop(out, grouplog.TargetMemberKey{Group: g.id, Member: m.id})
	}
	g.drop(out, grouplog.TargetKey{Group: g.id})
	for _, m := range members {
		g.drop(out, grouplog.MemberKey{Group: g.id, Member: m.id})
	}
	for _, regex := range sortedKeys(g.regexes) {
		g.drop(out, grouplog.RegexKey{Group: g.id, Regex: regex})
	}
	g.drop(out, grouplog.PartitionMetadataKey{Group: g.id})
	g.drop(out, grouplog.ConsumerGroupKey{Group: g.id})
}

// Deadline is when the group wants a Tick, [step.Never] if it waits for nothing.
func (g *Group) Deadline() int64 {
	return min(g.timers.deadline(), g.assignAt(), g.waitUntil(), g.refreshAt)
}

// Tick does what is due.
func (g *Group) Tick(now int64, out *step.Output) {
	members, reasons := g.timers.expired(now)
	for i, m := range members {
		out.Notes = append(out.Notes, fmt.Sprintf("group %s: member %s was removed since %v", g.id, m.id, reasons[i]))
	}
	g.remove(now, members, out)
	if g.refreshAt <= now {
		g.TopicsChanged(now, out)
	}
	g.assign(now, out)
	g.answerLate(now, out)
}
