package classic

import (
	"fmt"
	"slices"
	"strings"

	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/core/internal/group/step"
)

// minRetryMs is how soon the group looks again for members that join, whatever
// they ask for.
const minRetryMs = 1000

// initialDelay is the state of the wait at the beginning of a group's first
// rebalance, group.initial.rebalance.delay.ms: as long as members come, it is
// extended, up to the rebalance timeout.
type initialDelay struct {
	// is: the rebalance that is prepared is such a one.
	is bool
	// grown: a member came since the wait began or was extended.
	grown bool
	// delay is how long it waits this time, and left how much more it may.
	delay, left int64
}

// rebalance begins a rebalance. If one is being prepared, it is completed if
// that was all that it waited for: nobody asks then why, as for most of those who
// join, so that the reason comes in parts.
func (g *Group) rebalance(now int64, out *step.Output, why ...string) {
	if g.state == PreparingRebalance {
		g.completeIfJoined(now, out)
		return
	}
	g.prepare(now, strings.Join(why, ""), out)
}

// prepare has everybody join.
func (g *Group) prepare(now int64, why string, out *step.Output) {
	if g.state == CompletingRebalance {
		for _, m := range g.members.inOrder {
			m.assignment = nil
			if m.sync.is {
				g.answerSync(m, syncError(kerr.RebalanceInProgress), out)
				g.keepAlive(now, m)
			}
		}
	}
	g.syncBy = step.Never
	for _, m := range g.members.inOrder {
		g.members.setUnsynced(m, false)
	}
	g.rebalancing.begin(now, why)
	wasEmpty := g.state == Empty
	g.turn(PreparingRebalance, now)
	g.note(out, "preparing a rebalance, old generation %d: %s", g.generation, why)
	if wasEmpty {
		g.beginInitial(now)
		return
	}
	g.initial = initialDelay{}
	g.joinBy = now + g.members.rebalanceTimeout()
	g.completeIfJoined(now, out)
}

func (g *Group) beginInitial(now int64) {
	delay := int64(g.world.Settings(g.id).InitialRebalanceDelayMs)
	g.initial = initialDelay{is: true, delay: delay, left: max(g.members.rebalanceTimeout()-delay, 0)}
	g.joinBy = now + delay
}

// allJoined reports whether nobody is waited for.
func (g *Group) allJoined() bool { return g.members.joining == g.Size() && len(g.pending.byID) == 0 }

// completeIfJoined completes the rebalance when the last one has joined, or
// nobody is left to wait for. It is called wherever a member joins or goes. An
// initial rebalance waits for its time.
func (g *Group) completeIfJoined(now int64, out *step.Output) {
	if g.state == PreparingRebalance && !g.initial.is && g.allJoined() {
		g.complete(now, out)
	}
}

// joinDue is when the wait for members to join is over.
func (g *Group) joinDue(now int64, out *step.Output) {
	i := &g.initial
	if !i.is || !i.grown || i.left == 0 {
		g.complete(now, out)
		return
	}
	next := min(int64(g.world.Settings(g.id).InitialRebalanceDelayMs), i.left)
	*i = initialDelay{is: true, delay: next, left: max(i.left-i.delay, 0)}
	g.joinBy = now + next
}

// complete begins the next generation with those who have joined. Static
// members stay even if they have not: their process may be starting anew.
func (g *Group) complete(now int64, out *step.Output) {
	g.joinBy, g.initial = step.Never, initialDelay{}
	for _, m := range slices.Clone(g.members.inOrder) {
		if !m.join.is && !m.isStatic() {
			g.note(out, "member %s has not joined and is left out", m.id)
			g.remove(m, out)
		}
	}
	if g.Size() > 0 && !g.electJoined(out) {
		g.note(out, "none of %d static members has joined: waiting on", g.Size())
		g.joinBy = now + max(g.members.rebalanceTimeout(), minRetryMs)
		return
	}
	g.generation++
	g.protocol = g.members.choose()
	if g.Size() == 0 {
		g.rebalancing.is = false
		g.record(now, g.assigned, out)
		g.note(out, "empty, generation %d", g.generation)
		return
	}
	g.turn(CompletingRebalance, now)
	g.note(out, "generation %d has %d members, %s leads, protocol %s", g.generation, g.Size(), g.leader, g.protocol)
	for _, m := range g.members.inOrder {
		g.answerJoin(m, g.joined(m), out)
		g.keepAlive(now, m)
		m.isNew = false
		g.members.setUnsynced(m, true)
	}
	g.syncBy = now + g.members.rebalanceTimeout()
}

// electJoined sees to it that the leader is one that has joined. It reports
// false if nobody has.
func (g *Group) electJoined(out *step.Output) bool {
	if g.members.byID[g.leader].join.is {
		return true
	}
	at := slices.IndexFunc(g.members.inOrder, func(m *member) bool { return m.join.is })
	if at < 0 {
		return false
	}
	g.note(out, "leader %s has not joined, %s leads", g.leader, g.members.inOrder[at].id)
	g.leader = g.members.inOrder[at].id
	return true
}

// syncDue leaves out those who have joined and not asked for their share.
func (g *Group) syncDue(now int64, out *step.Output) {
	g.syncBy = step.Never
	for _, m := range slices.Clone(g.members.inOrder) {
		if m.unsynced {
			g.note(out, "member %s has not synced and is left out", m.id)
			g.remove(m, out)
		}
	}
	g.prepare(now, "members have not synced in time", out)
}

func (g *Group) turn(s State, now int64) { g.state, g.since = s, now }

func (g *Group) note(out *step.Output, format string, args ...any) {
	out.Notes = append(out.Notes, "group "+g.id+": "+fmt.Sprintf(format, args...))
}
