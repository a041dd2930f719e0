package consumer

import (
	"slices"

	"odradek.dev/core/internal/group/step"
	"odradek.dev/core/internal/refusal"
)

// waiter is a request that is answered with the member's place in the group.
type waiter struct {
	to     step.Token
	member *member
	// owned is what the member had when it asked, and counts only while it was
	// not given anything since: revision says.
	owned               owned
	revision            uint64
	subscriptionChanged bool
	// assigned is what it had then. tell is whether the answer has the assignment
	// even if it did not change since.
	assigned []held
	tell     bool
	// classic is what is left to say of a JoinGroup; nil for a heartbeat.
	classic *joined
	// unresolved is set until it is known what the member's regular expression
	// comes to, and then epoch is that of the target assignment for which it
	// waits; until is when it has waited for too long.
	unresolved bool
	epoch      int32
	until      int64
}

// isAssigning reports whether the assignment of the group's epoch is being
// computed. Who has its part of the one before would hear nothing new meanwhile,
// and of the next only an interval later.
func (g *Group) isAssigning() bool { return g.assigning != nil && g.assigning.epoch == g.epoch }

// wait keeps a request until the assignment of the group's epoch is there, and
// before that the topics of a regular expression that nobody resolved yet.
func (g *Group) wait(now int64, w waiter) bool {
	if w.unresolved = g.resolving != nil && g.isUnresolved(w.member); !w.unresolved {
		if w.epoch = g.awaited(); w.epoch == 0 {
			return false
		}
	}
	settings := g.settings()
	w.revision = w.member.revision
	w.until = now + int64(min(settings.ConsumerHeartbeatIntervalMs, settings.ConsumerSessionTimeoutMs/2))
	if last := len(g.waiting) - 1; last >= 0 {
		// In order, so that the first is the first to run out of time.
		w.until = max(w.until, g.waiting[last].until)
	}
	g.waiting = append(g.waiting, w)
	return true
}

// awaited is the epoch of the assignment that is worth to wait for, 0 if there is
// none. If the next that is computed will not be of the group's epoch, what stands
// is told at once, unless nothing was computed for those who are here.
func (g *Group) awaited() int32 {
	switch {
	case g.assigning == nil:
		return 0
	case g.isAssigning() || g.settings().ConsumerAssignmentIntervalMs == 0:
		return g.epoch
	case g.targetTime != 0:
		return 0
	}
	return g.assigning.epoch
}

// goOn has those whose regular expression is resolved now wait for the assignment
// that it led to.
func (g *Group) goOn(now int64, out *step.Output) {
	for i := range g.waiting {
		w := &g.waiting[i]
		gone := g.members[w.member.id] != w.member
		if w.unresolved && (gone || !g.isUnresolved(w.member)) {
			w.unresolved, w.epoch = false, g.awaited()
		}
	}
	g.answerWaiting(now, g.targetEpoch, out)
}

// answerWaiting answers those for whom the target of an epoch is enough.
func (g *Group) answerWaiting(now int64, epoch int32, out *step.Output) {
	g.answerIf(now, func(w waiter) bool { return !w.unresolved && w.epoch <= epoch }, out)
}

func (g *Group) answerAll(now int64, out *step.Output) {
	g.answerIf(now, func(waiter) bool { return true }, out)
}

// answerLate answers those that have waited for too long.
func (g *Group) answerLate(now int64, out *step.Output) {
	g.answerIf(now, func(w waiter) bool { return w.until <= now }, out)
}

func (g *Group) answerIf(now int64, ready func(waiter) bool, out *step.Output) {
	if !slices.ContainsFunc(g.waiting, ready) {
		return
	}
	answered := make([]waiter, 0, len(g.waiting))
	g.waiting = slices.DeleteFunc(g.waiting, func(w waiter) bool {
		if ready(w) {
			answered = append(answered, w)
			return true
		}
		return false
	})
	out.Answers = slices.Grow(out.Answers, len(answered))
	out.Records = slices.Grow(out.Records, len(answered))
	for _, w := range answered {
		g.answerWaiter(now, w, out)
	}
}

// answerWaiter looks again at who asked: much may have happened to it.
func (g *Group) answerWaiter(now int64, w waiter, out *step.Output) {
	m := w.member
	if g.members[m.id] != m || m.current.epoch == leftForNow || m.classic() != (w.classic != nil) {
		g.refuse(w, g.unknownMember(m.id), out)
		return
	}
	if m.revision != w.revision {
		// Another answer told it something meanwhile, perhaps to a client that has
		// given up on this one.
		w.owned, w.tell = owned{}, true
	}
	g.timers.set(m, sessionTimer, now+g.sessionTimeout(m))
	if w.classic != nil {
		g.answerJoin(now, w, out)
	} else {
		g.answer(now, w, out)
	}
}

func (g *Group) refuse(w waiter, refused *refusal.Refusal, out *step.Output) {
	if w.classic != nil {
		out.Answer(w.to, refusedJoin(refused))
	} else {
		out.Answer(w.to, refusedHeartbeat(refused))
	}
}

// waitUntil is when the first has waited for too long.
func (g *Group) waitUntil() int64 {
	if len(g.waiting) == 0 {
		return step.Never
	}
	return g.waiting[0].until
}
