package partition

import "sync/atomic"

// Waker is told once that a [Waiter] has what it waits for. The call comes
// under a partition's mutex: it must not block, nor call a partition.
type Waker interface {
	Wake()
}

// Waiter is a fetch that waits for bytes, from any of the partitions that it
// watches. After each [Waiter.Hold] and [Waiter.Release] it is woken exactly
// once.
type Waiter struct {
	waker Waker
	// missing is how many bytes more make it worth waking.
	missing atomic.Int64
	state   atomic.Int32
}

// The states of a waiter.
const (
	waiterIdle int32 = iota
	// waiterHeld: it does not wake yet; waiterHeldFired: it will at once.
	waiterHeld
	waiterHeldFired
	waiterArmed
)

// Hold makes the waiter wait for missing bytes, which is more than 0. It wakes
// nobody before Release, so that all watches can be set up.
func (w *Waiter) Hold(waker Waker, missing int64) {
	w.waker = waker
	w.missing.Store(missing)
	w.state.Store(waiterHeld)
}

// Release lets it wake, and does so now if it has cause to.
func (w *Waiter) Release() {
	if !w.state.CompareAndSwap(waiterHeld, waiterArmed) {
		w.state.Store(waiterIdle)
		w.waker.Wake()
	}
}

// Fire wakes it, for whatever reason: a deadline, an end. Only the first call
// does.
func (w *Waiter) Fire() {
	if w.state.CompareAndSwap(waiterHeld, waiterHeldFired) {
		return
	}
	if w.state.CompareAndSwap(waiterArmed, waiterIdle) {
		w.waker.Wake()
	}
}

// Watch is one waiter's place at one partition.
type Watch struct {
	waiter     *Waiter
	prev, next *Watch
	on         bool
	// room is how many bytes more the fetch would take from this partition.
	// With more than that it can be answered, whatever others have (and its
	// min_bytes may be out of reach).
	room int64
}

// watchList is the watches of a partition. The partition's mutex guards it and
// the watches in it.
type watchList struct {
	first *Watch
}

// Watch tells waiter of what becomes visible, beginning with what did since
// seen, which is of an earlier [Fetched]. room is above 0.
func (p *Partition) Watch(w *Watch, waiter *Waiter, seen, room int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	*w = Watch{waiter: waiter, room: room, on: true, next: p.watches.first}
	if w.next != nil {
		w.next.prev = w
	}
	p.watches.first = w
	if !p.Role().Readable {
		waiter.Fire()
		return
	}
	w.grown(p.visibleBytes.Load() - seen)
}

// Watched says whether anybody waits for the partition.
func (p *Partition) Watched() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.watches.first != nil
}

// Unwatch ends it. When it has returned, the partition does not touch w and
// its waiter any more. A watch that is over already is no error.
func (p *Partition) Unwatch(w *Watch) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !w.on {
		return
	}
	if w.prev != nil {
		w.prev.next = w.next
	} else {
		p.watches.first = w.next
	}
	if w.next != nil {
		w.next.prev = w.prev
	}
	*w = Watch{}
}

// grown tells all watches that bytes became visible.
func (l *watchList) grown(bytes int64) {
	for w := l.first; w != nil; w = w.next {
		w.grown(bytes)
	}
}

func (l *watchList) wakeAll() {
	for w := l.first; w != nil; w = w.next {
		w.waiter.Fire()
	}
}

func (w *Watch) grown(bytes int64) {
	if bytes <= 0 {
		return
	}
	counted := min(bytes, w.room)
	w.room -= counted
	if w.waiter.missing.Add(-counted) <= 0 || w.room <= 0 {
		w.waiter.Fire()
	}
}
