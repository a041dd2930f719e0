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

// add puts a watch of a waiter in the list, whatever it was before.
func (l *watchList) add(w *Watch, waiter *Waiter, room int64) {
	*w = Watch{waiter: waiter, room: room, on: true, next: l.first}
	if w.next != nil {
		w.next.prev = w
	}
	l.first = w
}

// remove takes a watch out, if it is in the list.
func (l *watchList) remove(w *Watch) {
	if !w.on {
		return
	}
	if w.prev != nil {
		w.prev.next = w.next
	} else {
		l.first = w.next
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
