package loop

import (
	"context"
	"time"
)

// Loop is tasks, and what they wait for.
type Loop struct {
	poller poller
	// running is the task that runs, nil if none does.
	running *Task
	// ready[next:] is tasks whose wait is over, in the order in which it was.
	ready  []*Task
	next   int
	timers timers
	// conns is by file descriptor.
	conns map[int32]*Conn
}

// looksAt is how often Run looks whether its context has ended.
const looksAt = 100 * time.Millisecond

// New fails where there is no epoll. Close it.
func New() (*Loop, error) {
	p, err := newPoller()
	if err != nil {
		return nil, err
	}
	return &Loop{poller: p, conns: make(map[int32]*Conn)}, nil
}

// Close does not close connections.
func (l *Loop) Close() error { return l.poller.close() }

// Run runs tasks until done, which is asked after each step of one, or until the
// context ends, whose cause it returns. No task may call it.
func (l *Loop) Run(ctx context.Context, done func() bool) error {
	return l.run(ctx, done, time.Time{})
}

// RunUntil runs tasks until that time.
func (l *Loop) RunUntil(ctx context.Context, at time.Time) error {
	return l.run(ctx, func() bool { return !time.Now().Before(at) }, at)
}

// run waits no longer than until that time, if there is one, before it asks done.
func (l *Loop) run(ctx context.Context, done func() bool, at time.Time) error {
	for !done() {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := l.step(at); err != nil {
			return err
		}
	}
	return nil
}

// step has one task go on. If none can, it waits until one may, or until that
// time if there is one.
func (l *Loop) step(atMost time.Time) error {
	if l.next == len(l.ready) {
		l.ready, l.next = l.ready[:0], 0
		return l.wait(atMost)
	}
	t := l.ready[l.next]
	l.ready[l.next] = nil
	l.next++
	t.queued = false
	t.goOn()
	return nil
}

// wait makes those tasks ready that the system or the time has something for.
func (l *Loop) wait(atMost time.Time) error {
	until := time.Now().Add(looksAt)
	if !atMost.IsZero() {
		until = earlier(until, atMost)
	}
	if first := l.timers.first(); first != nil {
		until = earlier(until, first.until)
	}
	events, err := l.poller.wait(max(time.Until(until), 0))
	if err != nil {
		return err
	}
	for _, e := range events {
		if c := l.conns[e.fd]; c != nil {
			c.happened(e)
		}
	}
	l.wakeSleepers(time.Now())
	return nil
}

func (l *Loop) wakeSleepers(now time.Time) {
	for first := l.timers.first(); first != nil && !first.until.After(now); first = l.timers.first() {
		first.Wake()
	}
}

// queue has a task go on when its turn comes.
func (l *Loop) queue(t *Task) {
	if !t.queued && !t.over {
		t.queued = true
		l.ready = append(l.ready, t)
	}
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}
