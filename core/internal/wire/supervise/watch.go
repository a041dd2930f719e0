package supervise

import (
	"context"
	"errors"
	"time"

	"odradek.dev/sdk/clock"
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/remote"
)

// watch keeps the module running until ctx ends. A process that serves then is
// left to [Module.Stop].
func (m *Module) watch(ctx context.Context, current *incarnation) {
	defer close(m.ended)
	for {
		err := m.oversee(ctx, current)
		if ctx.Err() != nil {
			return
		}
		m.retire()
		lived := m.spec.Clock.Now().Sub(current.born)
		if current = m.revive(ctx, err, lived); current == nil {
			return
		}
	}
}

// revive starts processes, after the policy's delays, until one serves. It
// returns nil when ctx ends.
func (m *Module) revive(ctx context.Context, died error, lived time.Duration) *incarnation {
	for {
		if !m.mourn(ctx, died, lived) {
			return nil
		}
		m.change(func(s *Status) { s.Restarts++ })
		p, err := m.spec.launch(ctx, m.spec.Command)
		if err == nil {
			err = m.accept(p)
		}
		if err == nil {
			return m.adopt(p)
		}
		if ctx.Err() != nil {
			return nil
		}
		died, lived = err, 0
	}
}

// accept checks that a new process can stand in for those before it.
func (m *Module) accept(p process) error {
	err := m.proxy.accepts(p.Instance())
	if err != nil {
		p.Kill()
		<-p.Done()
	}
	return err
}

// mourn records a death and waits for as long as the policy says; false if ctx
// ended meanwhile.
func (m *Module) mourn(ctx context.Context, died error, lived time.Duration) bool {
	var v verdict
	m.history, v = m.spec.Policy.died(m.history, m.spec.Clock.Now(), lived, m.random.Float64())
	state := Restarting
	if v.quarantine {
		state = Quarantined
	}
	retry := m.spec.Clock.Now().Add(v.delay)
	m.change(func(s *Status) { s.State, s.PID, s.LastError, s.Retry = state, 0, died, retry })
	m.log.Error("module process ended", "error", died, "lived", lived, "state", state, "restart in", v.delay)
	return clock.Wait(ctx, m.spec.Clock, v.delay) == nil
}

// oversee returns why the process has ended, once it has. One that does not
// answer is killed. It also returns when ctx ends.
func (m *Module) oversee(ctx context.Context, current *incarnation) error {
	for {
		patience := 4 * m.spec.ProbeTimeout
		due := make(chan struct{})
		timer := m.spec.Clock.AfterFunc(m.spec.ProbeInterval, func() { close(due) })
		select {
		case <-current.Done():
			timer.Stop()
			return ended(current)
		case <-ctx.Done():
			timer.Stop()
			return nil
		case <-m.suspected:
			timer.Stop()
			patience = m.spec.ProbeTimeout
		case <-due:
		}
		if err := m.probe(ctx, current, patience); err != nil {
			m.retire()
			current.Kill()
			<-current.Done()
			return err
		}
	}
}

func ended(current *incarnation) error {
	if err := current.Err(); err != nil {
		return err
	}
	return module.Retriablef("the module process (pid %d) ended", current.PID())
}

// A process that answers for its health and no call is as good as none: it is
// killed once it has missed the deadlines of maxMissed calls in a row, over
// ProbeInterval or longer.
const maxMissed = 10

// probe asks for the health of the module. An error means that the process does
// not answer; an answer that it is unwell is no reason to kill it, since the
// module knows best what it waits for.
func (m *Module) probe(ctx context.Context, current *incarnation, patience time.Duration) error {
	asked, cancel := within(ctx, m.spec.Clock, patience)
	defer cancel()
	answer := current.Health(asked)
	switch {
	case ctx.Err() != nil && answer != nil:
		return nil // the broker stops
	case errors.Is(answer, remote.ErrDeadline), errors.Is(answer, context.Canceled):
		return unlessEnded(current, module.Retriablef("the module process (pid %d) did not answer for %v and was killed", current.PID(), patience))
	case errors.Is(answer, remote.ErrClosed):
		return disconnected(asked, current, answer)
	}
	m.note(answer)
	if current.misses.over(maxMissed, m.spec.ProbeInterval) {
		return module.Retriablef("the module process (pid %d) missed the deadlines of its last %d calls and was killed",
			current.PID(), current.misses.inARow.Load())
	}
	return nil
}

// longestStall ends a question to a process whatever the host did meanwhile.
const longestStall = time.Hour

// within returns a context that ends once the host has run for as long as
// patience.
func within(ctx context.Context, c clock.Clock, patience time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(ctx, longestStall)
	go func() {
		defer cancel()
		for s := (silence{left: patience}); s.next() > 0; {
			before := c.Now()
			if clock.Wait(ctx, c, s.next()) != nil {
				return
			}
			s.look(c.Now().Sub(before))
		}
	}()
	return ctx, cancel
}

// disconnected says why a process no longer takes calls: most likely it is just
// ending by itself.
func disconnected(ctx context.Context, current *incarnation, answer error) error {
	select {
	case <-current.Done():
	case <-ctx.Done():
	}
	return unlessEnded(current, module.Retriablef("the module process (pid %d) no longer takes calls and was killed: %w", current.PID(), answer))
}

// unlessEnded is why a process is to be killed, or why it has ended: after a time
// in which nobody had a processor both may be so.
func unlessEnded(current *incarnation, reason error) error {
	select {
	case <-current.Done():
		return ended(current)
	default:
		return reason
	}
}

// note records whether the module is well, and tells when that changes.
func (m *Module) note(answer error) {
	before := m.Status().Unwell
	if (before == nil) == (answer == nil) {
		return
	}
	m.change(func(s *Status) { s.Unwell = answer })
	if answer != nil {
		m.log.Warn("module is unwell", "error", answer)
		return
	}
	m.log.Info("module is well again")
}

// suspect has a process asked for its health at once, if it is the current one
// still: its sins are not its successor's.
func (m *Module) suspect(current *incarnation) {
	if current.retired.Load() {
		return
	}
	select {
	case m.suspected <- struct{}{}:
	default: // it will be asked anyway
	}
}

// suspectLater has the process of a call that is still not answered after
// ProbeTimeout asked for its health, and returns what ends that. A call whose
// deadline comes sooner suspects it then.
func (m *Module) suspectLater(ctx context.Context, current *incarnation) (stop func()) {
	if deadline, ok := ctx.Deadline(); ok && deadline.Sub(m.spec.Clock.Now()) <= m.spec.ProbeTimeout {
		return func() {}
	}
	timer := m.spec.Clock.AfterFunc(m.spec.ProbeTimeout, func() { m.suspect(current) })
	return func() { timer.Stop() }
}
