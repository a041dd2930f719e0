package fetchsession

import (
	"container/heap"
	"container/list"
	"time"
)

// EvictableAfter is how long a session must have been unused to make room for
// any other, and how long it is safe from larger ones after its creation.
const EvictableAfter = 2 * time.Minute

// standing is what decides whether a session is evicted. The cache's mutex
// guards it.
type standing struct {
	id int32
	// privileged is a session of a follower. Consumers do not evict it unless
	// it is unused.
	privileged    bool
	created, used time.Time
	// settled says that at its last use it was older than EvictableAfter.
	settled bool
	// counted is the number of partitions that the cache knows of.
	counted int
	// byUse is its place in standings.byUse, and at those in the two queues: -1
	// where it is not in one.
	byUse *list.Element
	at    [2]int
}

// standings is the sessions in the orders in which they are evicted.
type standings struct {
	// byUse begins with the one that was unused for longest.
	byUse list.List
	// forAny has those that any session may evict which is worth more,
	// forPrivileged those that only a privileged one may.
	forAny, forPrivileged queue
}

func newStandings() *standings {
	return &standings{forAny: queue{which: 0}, forPrivileged: queue{which: 1}}
}

func (r *standings) add(s *standing, now time.Time) {
	s.created, s.used, s.at = now, now, [2]int{-1, -1}
	s.byUse = r.byUse.PushBack(s)
	r.rank(s)
}

// touch is for a use of the session. partitions is its size now.
func (r *standings) touch(s *standing, now time.Time, partitions int) {
	s.used = now
	r.byUse.MoveToBack(s.byUse)
	settled := now.Sub(s.created) > EvictableAfter
	if settled == s.settled && partitions == s.counted {
		return
	}
	s.settled, s.counted = settled, partitions
	r.rank(s)
}

func (r *standings) rank(s *standing) {
	if s.settled {
		r.forAny.put(s)
	}
	if s.settled || !s.privileged {
		r.forPrivileged.put(s)
	}
}

func (r *standings) remove(s *standing) {
	r.byUse.Remove(s.byUse)
	r.forAny.remove(s)
	r.forPrivileged.remove(s)
}

// victim is the session that makes room for one more, or nil: first any that
// was unused for long, then one that is worth less.
func (r *standings) victim(privileged bool, partitions int, now time.Time) *standing {
	if oldest := r.byUse.Front(); oldest != nil {
		if s := oldest.Value.(*standing); now.Sub(s.used) > EvictableAfter {
			return s
		}
	}
	q := &r.forAny
	if privileged {
		q = &r.forPrivileged
	}
	if len(q.all) > 0 && q.all[0].worthLess(privileged, partitions) {
		return q.all[0]
	}
	return nil
}

// worthLess compares it with a session that does not exist yet: a follower's is
// worth more than a consumer's, then the larger one.
func (s *standing) worthLess(privileged bool, partitions int) bool {
	if s.privileged != privileged {
		return privileged
	}
	return s.counted < partitions
}

// queue is a heap: the session that is worth the least is the first.
type queue struct {
	all []*standing
	// which is the queue's index in [standing.at].
	which int
}

func (q *queue) put(s *standing) {
	if at := s.at[q.which]; at >= 0 {
		heap.Fix(q, at)
	} else {
		heap.Push(q, s)
	}
}

func (q *queue) remove(s *standing) {
	if at := s.at[q.which]; at >= 0 {
		heap.Remove(q, at)
	}
}

func (q *queue) Len() int { return len(q.all) }

func (q *queue) Less(i, j int) bool {
	a, b := q.all[i], q.all[j]
	if a.privileged == b.privileged && a.counted == b.counted {
		return a.id < b.id
	}
	return a.worthLess(b.privileged, b.counted)
}

func (q *queue) Swap(i, j int) {
	q.all[i], q.all[j] = q.all[j], q.all[i]
	q.all[i].at[q.which], q.all[j].at[q.which] = i, j
}

func (q *queue) Push(s any) {
	added := s.(*standing)
	added.at[q.which] = len(q.all)
	q.all = append(q.all, added)
}

func (q *queue) Pop() any {
	last := len(q.all) - 1
	s := q.all[last]
	q.all[last] = nil
	q.all, s.at[q.which] = q.all[:last], -1
	return s
}
