package consumer

import (
	"container/heap"
	"slices"

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
	queued    int64
	index     int
}

func (t *memberTimers) earliest() int64 { return slices.Min(t.deadlines[:]) }

// timers is the queue of all members, the earliest first.
type timers []*member

func (q timers) Len() int           { return len(q) }
func (q timers) Less(i, j int) bool { return q[i].timers.queued < q[j].timers.queued }
func (q timers) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].timers.index, q[j].timers.index = i, j
}

// Push is for package heap; members come in by add.
func (q *timers) Push(m any) {
	m.(*member).timers.index = len(*q)
	*q = append(*q, m.(*member))
}

// Pop is for package heap.
func (q *timers) Pop() any {
	last := (*q)[len(*q)-1]
	(*q)[len(*q)-1] = nil
	*q = (*q)[:len(*q)-1]
	return last
}

func (q *timers) add(m *member) {
	for t := range m.timers.deadlines {
		m.timers.deadlines[t] = step.Never
	}
	m.timers.queued = step.Never
	heap.Push(q, m)
}

func (q *timers) remove(m *member) { heap.Remove(q, m.timers.index) }

func (q *timers) set(m *member, t timer, at int64) {
	m.timers.deadlines[t] = at
	if at < m.timers.queued {
		m.timers.queued = at
		heap.Fix(q, m.timers.index)
	}
}

func (q *timers) cancel(m *member, t timer) { m.timers.deadlines[t] = step.Never }

func (q timers) deadline() int64 {
	if len(q) == 0 {
		return step.Never
	}
	return q[0].timers.queued
}

// expired returns the members that ran out of time, and why.
func (q *timers) expired(now int64) (members []*member, reasons []timer) {
	for q.deadline() <= now {
		m := (*q)[0]
		earliest := m.timers.earliest()
		if earliest <= now {
			members = append(members, m)
			reasons = append(reasons, timer(slices.Index(m.timers.deadlines[:], earliest)))
			// It is on its way out; until then it must not come up again.
			earliest = step.Never
		}
		m.timers.queued = earliest
		heap.Fix(q, 0)
	}
	return members, reasons
}
