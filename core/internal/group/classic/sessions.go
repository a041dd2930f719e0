package classic

import (
	"container/heap"

	"odradek.dev/core/internal/group/step"
)

// session is how long a member, or one that is to come, is taken to be alive.
type session struct {
	member string
	// ends is when, in milliseconds.
	ends int64
	// place is one more than the index in the heap, 0 if the session does not
	// end by time.
	place int
}

// sessions are those that end by time, the next first.
type sessions struct{ heap sessionHeap }

// first is when the next ends, step.Never if none does.
func (s *sessions) first() int64 {
	if len(s.heap) == 0 {
		return step.Never
	}
	return s.heap[0].ends
}

// set has a session end at a time, whatever was set before.
func (s *sessions) set(x *session, ends int64) {
	x.ends = ends
	if x.place == 0 {
		heap.Push(&s.heap, x)
		return
	}
	heap.Fix(&s.heap, x.place-1)
}

func (s *sessions) stop(x *session) {
	if x.place != 0 {
		heap.Remove(&s.heap, x.place-1)
	}
}

// take takes out the next to end.
func (s *sessions) take() *session { return heap.Pop(&s.heap).(*session) }

type sessionHeap []*session

func (h sessionHeap) Len() int           { return len(h) }
func (h sessionHeap) Less(i, j int) bool { return h[i].ends < h[j].ends }

func (h sessionHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].place, h[j].place = i+1, j+1
}

func (h *sessionHeap) Push(x any) {
	s := x.(*session)
	*h = append(*h, s)
	s.place = len(*h)
}

func (h *sessionHeap) Pop() any {
	last := len(*h) - 1
	s := (*h)[last]
	(*h)[last] = nil
	*h = (*h)[:last]
	s.place = 0
	return s
}
