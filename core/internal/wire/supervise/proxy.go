package supervise

import (
	"context"
	"errors"
	"time"

	"odradek.dev/sdk/assignor"
	"odradek.dev/sdk/codec"
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/partitioner"
	"odradek.dev/sdk/remote"
)

// proxy is the instance of a module whose processes change. There is one type
// for each kind; besides proxy it implements the kind's contract.
type proxy interface {
	module.HealthChecker
	// accepts reports why instance cannot stand in for those before it.
	accepts(instance any) error
}

func newProxy(m *Module, p process) (proxy, error) {
	switch instance := p.Instance().(type) {
	case partitioner.Partitioner:
		return &partitionerProxy{anyProxy{m}}, nil
	case assignor.Assignor:
		return &assignorProxy{anyProxy{m}}, nil
	case codec.Codec:
		return &codecProxy{anyProxy{m}, instance.Info()}, nil
	}
	return nil, module.Invalidf("modules like %s cannot be supervised yet", p.Descriptor().ID())
}

// anyProxy is what the proxies of all kinds have in common.
type anyProxy struct{ module *Module }

// Health asks the current process.
func (p anyProxy) Health(ctx context.Context) error {
	_, err := forward(ctx, p.module, func(instance module.HealthChecker) (struct{}, error) {
		return struct{}{}, instance.Health(ctx)
	})
	return err
}

func (anyProxy) accepts(any) error { return nil }

// forward makes a call to the current process.
func forward[M, R any](ctx context.Context, m *Module, call func(M) (R, error)) (R, error) {
	return callOn(ctx, m, m.current.Load(), call)
}

// forwardAgain is forward for a kind that nothing stands in for and whose calls
// change nothing. While there is no process it waits for the next, and it makes
// a call whose process has ended a second time: not more often, since what is
// asked may be what ends them.
func forwardAgain[M, R any](ctx context.Context, m *Module, call func(M) (R, error)) (R, error) {
	first := m.await(ctx, nil)
	result, err := callOn(ctx, m, first, call)
	if first == nil || !lost(err) {
		return result, err
	}
	if second := m.await(ctx, first); second != nil {
		return callOn(ctx, m, second, call)
	}
	return result, err
}

// callOn makes a call to a process, nil for none. A call that is answered after
// its process was retired fails, whatever the answer: the broker may have told
// somebody that it failed, or asked the next process. A call that the process
// lost says how it was lost, and one that was late says so, whether or not
// somebody has noticed by then.
func callOn[M, R any](ctx context.Context, m *Module, current *incarnation, call func(M) (R, error)) (R, error) {
	var none R
	if current == nil {
		return none, m.down()
	}
	stop := m.suspectLater(ctx, current)
	result, err := call(current.Instance().(M))
	stop()
	switch {
	case errors.Is(err, remote.ErrDeadline):
		current.misses.add(m.spec.Clock.Now())
		m.suspect(current)
		return none, err
	case errors.Is(err, remote.ErrClosed):
		err = m.howItEnded(ctx, current, err)
	case !lost(err) && !errors.Is(err, context.Canceled):
		current.misses.end()
	}
	if current.retired.Load() && !lost(err) {
		return none, ErrDown.With("the process (pid %d) that %s ran in was replaced during the call", current.PID(), current.Descriptor().ID())
	}
	return result, err
}

// parting is how long a call that has lost its process waits to learn how that
// ended: its connection ends a few milliseconds sooner.
const parting = 50 * time.Millisecond

// howItEnded is closed, the error of a call whose process went away, with the
// reason if there is one soon.
func (m *Module) howItEnded(ctx context.Context, current *incarnation, closed error) error {
	over := make(chan struct{})
	timer := m.spec.Clock.AfterFunc(parting, func() { close(over) })
	defer timer.Stop()
	select {
	case <-current.Done():
	case <-over:
	case <-ctx.Done():
	}
	select {
	case <-current.Done():
		return remote.ErrClosed.With("%v", ended(current))
	default:
		return closed
	}
}

// lost reports that the process is to blame for the error and not the module.
func lost(err error) bool {
	return errors.Is(err, ErrDown) || errors.Is(err, remote.ErrClosed) || errors.Is(err, remote.ErrProtocol)
}
