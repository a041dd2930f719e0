package guard

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"odradek.dev/sdk/deadline"
	"odradek.dev/sdk/module"
)

// maxRunning bounds the calls to one module that run at a time, those included
// that were given up: a module that hangs for ever costs that many goroutines
// and not one a call.
const maxRunning = 64

// limiter runs calls that may never come back.
type limiter struct {
	timeout time.Duration
	running atomic.Int64
}

// limited runs call until the deadline and then gives it up; the end of ctx
// itself is answered with its error. Whatever call reads must not change after
// that, since it may still run.
func limited[T any](ctx context.Context, l *limiter, call func(context.Context) (T, error)) (T, error) {
	type answer struct {
		value T
		err   error
	}
	var none T
	if l.running.Add(1) > maxRunning {
		l.running.Add(-1)
		return none, module.Retriablef("%d calls to the module are running already", maxRunning)
	}
	caller := ctx
	ctx, cancel := context.WithTimeout(ctx, l.timeout)
	defer cancel()
	answers := make(chan answer, 1)
	go func() {
		defer l.running.Add(-1)
		var a answer
		a.err = recovered(func() (err error) {
			a.value, err = call(ctx)
			return err
		})
		answers <- a
	}()
	a, came := deadline.Await(ctx, answers)
	if !came {
		a.err = ctx.Err()
	}
	if caller.Err() != nil && errors.Is(a.err, caller.Err()) {
		return none, caller.Err()
	}
	// A module that heeds its deadline may say that it is past before ctx has
	// ended by it: which of them is first must not show.
	if isLate(ctx, a.err) {
		return none, module.Retriablef("module did not answer within %v: %w", l.timeout, a.err)
	}
	return a.value, a.err
}

// isLate reports whether err says that the deadline of ctx is past, and it is,
// though ctx may not have ended by it yet.
func isLate(ctx context.Context, err error) bool {
	return errors.Is(err, context.DeadlineExceeded) && deadline.Past(ctx)
}

// recovered turns a panic into an error, so that a module in this process
// cannot end it.
func recovered(call func() error) (err error) {
	defer module.Recovered(&err)
	return call()
}
