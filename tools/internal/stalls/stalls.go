// Package stalls knows when the machine stood still. One that others share is
// taken away now and then, for milliseconds or for seconds, from all of its
// processes at a time; what took longer by that is no fault of theirs.
package stalls

import (
	"sync"
	"time"
)

const (
	// step is how often a watch looks at the time.
	step = 10 * time.Millisecond
	// least is what counts as a stall. Less than that a process of this machine
	// may have waited for the others.
	least = 100 * time.Millisecond
)

// Watch notices the stalls from its start to its end. Safe for concurrent use.
type Watch struct {
	over, ended chan struct{}

	mu sync.Mutex
	// looked is signalled when time has moved.
	looked *sync.Cond
	// seen is when the watch looked last.
	seen   time.Time
	done   bool
	stalls history
}

// Start begins to watch.
func Start() *Watch {
	w := newWatch(time.Now())
	go w.run()
	return w
}

func newWatch(now time.Time) *Watch {
	w := &Watch{over: make(chan struct{}), ended: make(chan struct{}), seen: now}
	w.looked = sync.NewCond(&w.mu)
	return w
}

// End is called once. What was noticed until then can still be asked for.
func (w *Watch) End() {
	close(w.over)
	<-w.ended
}

func (w *Watch) run() {
	defer close(w.ended)
	ticks := time.NewTicker(step)
	defer ticks.Stop()
	for {
		select {
		case <-ticks.C:
			w.look(time.Now(), false)
		case <-w.over:
			w.look(time.Now(), true)
			return
		}
	}
}

func (w *Watch) look(now time.Time, done bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stalls.note(w.seen, now)
	w.seen, w.done = now, done
	w.looked.Broadcast()
}

// Between is for how long the machine stood still between two times that are
// past. Whoever was kept waiting may ask before the watch has seen the end of a
// stall, and so waits for it to look.
func (w *Watch) Between(from, to time.Time) time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	for w.seen.Before(to) && !w.done {
		w.looked.Wait()
	}
	return w.stalls.between(from, to)
}

// After is when the machine has run for so long since a time that is past, or
// will have if it stands still no more.
func (w *Watch) After(from time.Time, d time.Duration) time.Time {
	now := time.Now()
	w.mu.Lock()
	defer w.mu.Unlock()
	for {
		at := w.stalls.after(from, d)
		if !w.seen.Before(at) || !w.seen.Before(now) || w.done {
			return at
		}
		w.looked.Wait()
	}
}
