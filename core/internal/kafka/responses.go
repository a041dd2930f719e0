package kafka

import (
	"slices"
	"sync"
	"sync/atomic"
)

// Bounds of what one connection may have waiting. A client that goes beyond
// them is not read from until some of it is gone.
const (
	mostSlots     = 128
	mostSlotBytes = 4 << 20
)

// responses is the answers of a connection that could not be written at once,
// in the order of their requests: the first waits for something, and those
// behind it for the first. Only the reader adds; whoever finds that the first
// is ready starts a goroutine that writes all that are.
type responses struct {
	conn *connection
	// waiting is the number of slots, for a look without the lock.
	waiting atomic.Int32

	mu    sync.Mutex
	room  sync.Cond
	slots []*slot
	bytes int64
	// draining says that there is a goroutine that writes; nobody else does.
	draining bool
	closed   bool
	// cut says that nobody may wait for the client any more.
	cut bool
}

// slot is the place of one answer.
type slot struct {
	observation Observation
	conn        *connection
	ready       bool
	// out is an answer that is complete; if nil, later builds it.
	out   *outbound
	later later
}

// later is an answer that waits for something. Its methods but hurry are called
// by one goroutine at a time.
type later interface {
	// respond appends the answer to out and returns its size, once the slot
	// is ready; 0 if it has to wait on, after responses.unready.
	respond(out *outbound) int64
	// hurry asks for the answer soon, such as it is. It may come at any time.
	hurry()
	// done is called when the answer is on its way.
	done()
	// abandon frees all: the client is gone.
	abandon()
}

// idle says that an answer may be written without regard to others.
func (q *responses) idle() bool {
	if q.waiting.Load() > 0 {
		return false
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.slots) == 0 && !q.draining
}

// add puts a slot at the end. It reports false if the connection is closed.
func (q *responses) add(s *slot) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return false
	}
	q.slots = append(q.slots, s)
	q.waiting.Add(1)
	if s.out != nil {
		q.bytes += int64(len(s.out.buf))
	}
	q.start()
	return true
}

// ready says that the slot's answer can be built now.
func (q *responses) ready(s *slot) {
	q.mu.Lock()
	defer q.mu.Unlock()
	s.ready = true
	q.start()
}

// unready takes that back; only the slot's own respond may.
func (q *responses) unready(s *slot) {
	q.mu.Lock()
	defer q.mu.Unlock()
	s.ready = false
}

// start begins to drain if there is something to. mu is held.
func (q *responses) start() {
	if !q.draining && !q.closed && len(q.slots) > 0 && q.slots[0].ready {
		q.draining = true
		go q.drain()
	}
}

// first returns the first slot if it is ready.
func (q *responses) first() *slot {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed || len(q.slots) == 0 || !q.slots[0].ready {
		return nil
	}
	return q.slots[0]
}

func (q *responses) pop() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.slots[0].out != nil {
		q.bytes -= int64(len(q.slots[0].out.buf))
	}
	q.slots = slices.Delete(q.slots, 0, 1) // they are few, and the next finds room
	q.waiting.Add(-1)
	q.room.Signal()
}

// rest ends the draining if there still is nothing to write. After close it is
// the drainer's part to free what waits.
func (q *responses) rest() bool {
	q.mu.Lock()
	if !q.closed && len(q.slots) > 0 && q.slots[0].ready {
		q.mu.Unlock()
		return false
	}
	q.draining = false
	var left []*slot
	if q.closed {
		left, q.slots = q.slots, nil
	}
	q.room.Broadcast()
	q.mu.Unlock()
	q.free(left)
	return true
}

// drain writes ready answers until the first is not ready.
func (q *responses) drain() {
	out := q.conn.takeOut()
	defer q.conn.giveOut(out)
	for {
		s := q.first()
		if s == nil {
			if out.empty() {
				if q.rest() {
					return
				}
			} else if err := out.writeTo(q.conn.sock); err != nil {
				q.conn.broken(err)
			}
			continue
		}
		if err := q.write(s, out); err != nil {
			q.conn.broken(err)
		}
	}
}

// write takes the answer of the first slot out of the queue.
func (q *responses) write(s *slot, out *outbound) error {
	if s.out == nil {
		size := s.later.respond(out)
		if size == 0 {
			return nil
		}
		q.pop()
		q.conn.observe(&s.observation, size)
		s.later.done()
	} else {
		if err := out.writeTo(q.conn.sock); err != nil {
			return err
		}
		own := s.out
		q.pop()
		defer q.conn.giveOut(own)
		return own.writeTo(q.conn.sock)
	}
	if out.bytes() < flushAt {
		return nil
	}
	return out.writeTo(q.conn.sock)
}

// waitRoom waits until the bounds allow another request.
func (q *responses) waitRoom() {
	if q.waiting.Load() < mostSlots/2 {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	for !q.cut && (len(q.slots) >= mostSlots || q.bytes >= mostSlotBytes) {
		q.room.Wait()
	}
}

// hurry asks all that waits to answer now, if it can.
func (q *responses) hurry() {
	q.mu.Lock()
	var waiting []later
	for _, s := range q.slots {
		if s.later != nil {
			waiting = append(waiting, s.later)
		}
	}
	q.mu.Unlock()
	for _, l := range waiting {
		l.hurry()
	}
}

// empty waits until nothing waits any more.
func (q *responses) empty() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for !q.cut && (len(q.slots) > 0 || q.draining) {
		q.room.Wait()
	}
}

// giveUp ends the waits of the reader.
func (q *responses) giveUp() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.cut = true
	q.room.Broadcast()
}

// close frees all that waits; if there is a drainer, it does.
func (q *responses) close() {
	q.mu.Lock()
	q.closed = true
	var left []*slot
	if !q.draining {
		left, q.slots = q.slots, nil
	}
	q.room.Broadcast()
	q.mu.Unlock()
	q.free(left)
}

func (q *responses) free(slots []*slot) {
	for _, s := range slots {
		if s.out != nil {
			s.out.backTo(mark{})
			q.conn.giveOut(s.out)
		} else {
			s.later.abandon()
		}
	}
}
