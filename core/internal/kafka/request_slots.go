package kafka

import (
	"sync"
	"sync/atomic"
)

// requestSlots bounds the requests that are in execution or wait for it
// (queued.max.requests): a connection whose request finds no place is not read
// on until there is one. A handler that waits for what another client does must
// not do so in its place; it takes one in the connection's queue (responses).
type requestSlots struct {
	most  int64
	taken atomic.Int64

	// waiting is the number of those in room.
	waiting atomic.Int64
	mu      sync.Mutex
	room    sync.Cond
}

func newRequestSlots(most int) *requestSlots {
	s := &requestSlots{most: int64(most)}
	s.room.L = &s.mu
	return s
}

// enter waits for a place.
func (s *requestSlots) enter() {
	if s.tryEnter() {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	// Counted before the look, so that who leaves after it wakes us.
	s.waiting.Add(1)
	for !s.tryEnter() {
		s.room.Wait()
	}
	s.waiting.Add(-1)
}

func (s *requestSlots) tryEnter() bool {
	for {
		taken := s.taken.Load()
		if taken >= s.most {
			return false
		}
		if s.taken.CompareAndSwap(taken, taken+1) {
			return true
		}
	}
}

func (s *requestSlots) leave() {
	s.taken.Add(-1)
	if s.waiting.Load() > 0 {
		s.mu.Lock()
		s.room.Signal()
		s.mu.Unlock()
	}
}
