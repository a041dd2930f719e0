package loop

import (
	"errors"
	"iter"
	"time"
)

// ErrStopped is what every wait of a task returns when it was stopped.
var ErrStopped = errors.New("the task was stopped")

// Task is a coroutine.
type Task struct {
	loop   *Loop
	resume func() (struct{}, bool)
	end    func()
	yield  func(struct{}) bool
	// queued is set while it is among those that are ready.
	queued bool
	over   bool
	// until is when its sleep ends, and place where it is in the timers, -1 if it
	// does not sleep.
	until time.Time
	place int
}

// Go makes a task of f, which begins when the loop runs.
func (l *Loop) Go(f func()) *Task {
	t := &Task{loop: l, place: -1}
	t.resume, t.end = iter.Pull(func(yield func(struct{}) bool) {
		t.yield = yield
		f()
	})
	l.queue(t)
	return t
}

// Over reports whether the task has ended or was stopped.
func (t *Task) Over() bool { return t.over }

// Wake ends the sleep of a task, if it sleeps.
func (t *Task) Wake() {
	if t.place >= 0 {
		t.loop.timers.remove(t)
		t.loop.queue(t)
	}
}

// Stop has the wait of the task end in ErrStopped, and returns when the task has;
// one that has not begun never does. It must not stop itself.
func (t *Task) Stop() {
	if t.over {
		return
	}
	t.over = true
	t.Wake()
	t.as(t.end)
}

func (t *Task) goOn() {
	if t.over {
		return
	}
	t.as(func() {
		if _, more := t.resume(); !more {
			t.over = true
		}
	})
}

// as runs f as the task that runs.
func (t *Task) as(f func()) {
	before := t.loop.running
	t.loop.running = t
	f()
	t.loop.running = before
}

// pause has the others run, until somebody has queued the task.
func (t *Task) pause() error {
	if t.over || !t.yield(struct{}{}) {
		return ErrStopped
	}
	return nil
}

// Sleep has the task that runs wait until that time, or until it is woken.
func (l *Loop) Sleep(until time.Time) error {
	t := l.running
	if t.over {
		return ErrStopped
	}
	t.until = until
	l.timers.add(t)
	return t.pause()
}
