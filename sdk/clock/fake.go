package clock

import (
	"sync"
	"time"
)

// Fake is a clock that stands still until [Fake.Advance] moves it.
type Fake struct {
	mu     sync.Mutex
	now    time.Time
	timers []*fakeTimer
}

// NewFake returns a clock that stands at start.
func NewFake(start time.Time) *Fake { return &Fake{now: start} }

// Now returns the time at which the clock stands.
func (f *Fake) Now() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.now
}

// AfterFunc arranges a call that a later Advance makes, in the goroutine of
// that Advance and in order of due times.
func (f *Fake) AfterFunc(d time.Duration, call func()) Timer {
	f.mu.Lock()
	defer f.mu.Unlock()
	t := &fakeTimer{clock: f, due: f.now.Add(d), call: call}
	f.timers = append(f.timers, t)
	return t
}

// Advance moves the clock and makes every call that became due.
func (f *Fake) Advance(d time.Duration) {
	f.mu.Lock()
	end := f.now.Add(d)
	f.mu.Unlock()
	for t := f.takeDue(end); t != nil; t = f.takeDue(end) {
		t.call()
	}
	f.mu.Lock()
	f.now = end
	f.mu.Unlock()
}

// takeDue removes the earliest timer due by end and sets the clock to its time.
func (f *Fake) takeDue(end time.Time) *fakeTimer {
	f.mu.Lock()
	defer f.mu.Unlock()
	first := -1
	for i, t := range f.timers {
		if !t.due.After(end) && (first < 0 || t.due.Before(f.timers[first].due)) {
			first = i
		}
	}
	if first < 0 {
		return nil
	}
	t := f.timers[first]
	f.timers = append(f.timers[:first], f.timers[first+1:]...)
	if t.due.After(f.now) {
		f.now = t.due
	}
	return t
}

type fakeTimer struct {
	clock *Fake
	due   time.Time
	call  func()
}

func (t *fakeTimer) Stop() bool {
	t.clock.mu.Lock()
	defer t.clock.mu.Unlock()
	for i, other := range t.clock.timers {
		if other == t {
			t.clock.timers = append(t.clock.timers[:i], t.clock.timers[i+1:]...)
			return true
		}
	}
	return false
}
