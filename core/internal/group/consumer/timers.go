package consumer

import (
	"slices"

	"odradek.dev/core/internal/group/deadline"
	"odradek.dev/core/internal/group/step"
)

// timer is one of the reasons for which a member runs out of time.
type timer int

const (
	sessionTimer timer = iota // it did not send a heartbeat
	revokeTimer               // it did not give up partitions
	joinTimer                 // of the classic protocol: it did not join again
	syncTimer                 // of the classic protocol: it did not fetch its assignment
	timerCount
)

func (t timer) String() string {
	return [...]string{
		"it sent no heartbeat within its session timeout",
		"it did not revoke partitions within its rebalance timeout",
		"it did not rejoin within its rebalance timeout",
		"it did not sync within its rebalance timeout",
	}[t]
}

// memberTimers are the deadlines of one member. It stands in the queue under a
// time that is no later than the earliest of them: to put a deadline off, as
// every heartbeat does, costs nothing, and who comes up too early is put back.
type memberTimers struct {
	deadlines [timerCount]int64
	queued    deadline.Entry[*member]
}

func (t *memberTimers) earliest() int64 { return slices.Min(t.deadlines[:]) }

// timers is the queue of all members.
type timers struct{ queue deadline.Queue[*member] }

func (q *timers) add(m *member) {
	for t := range m.timers.deadlines {
		m.timers.deadlines[t] = step.Never
	}
	m.timers.queued.Value = m
}

func (q *timers) remove(m *member) { q.queue.Remove(&m.timers.queued) }

func (q *timers) set(m *member, t timer, at int64) {
	m.timers.deadlines[t] = at
	if at < m.timers.queued.At() {
		q.queue.Set(&m.timers.queued, at)
	}
}

func (q *timers) cancel(m *member, t timer) { m.timers.deadlines[t] = step.Never }

func (q *timers) deadline() int64 { return q.queue.At() }

// expired returns the members that ran out of time, and why.
func (q *timers) expired(now int64) (members []*member, reasons []timer) {
	for q.deadline() <= now {
		m := q.queue.First().Value
		earliest := m.timers.earliest()
		if earliest <= now {
			members = append(members, m)
			reasons = append(reasons, timer(slices.Index(m.timers.deadlines[:], earliest)))
			// It is on its way out; until then it must not come up again.
			earliest = step.Never
		}
		q.queue.Set(&m.timers.queued, earliest)
	}
	return members, reasons
}
