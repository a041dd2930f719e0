package guard

import (
	"context"

	"odradek.dev/sdk/assignor"
)

// Assignor is an assignor whose every answer is exact. Safe for concurrent use.
type Assignor struct {
	instance, fallback assignor.Assignor
	// The fallback has a deadline too: it is checked code, but a snapshot may be
	// of any size.
	limiter, fallbackLimiter limiter
	meter                    *meter
}

// Assign answers the snapshot, and whether the built-in assignor did since the
// module failed. An error means that the fallback failed too, that there is
// none, or that ctx has ended. The snapshot must not change afterwards: a call
// that was given up may still read it.
func (a *Assignor) Assign(ctx context.Context, snapshot assignor.Snapshot) (assignor.Assignment, bool, error) {
	began := a.meter.begin()
	answer, err := assignLimited(ctx, &a.limiter, a.instance, snapshot)
	a.meter.end(began)
	switch {
	case err == nil:
		return answer, false, nil
	case ctx.Err() != nil:
		return assignor.Assignment{}, false, ctx.Err()
	case a.fallback == nil:
		a.meter.fail(err)
		return assignor.Assignment{}, false, err
	}
	a.meter.fallBack(err, FallbackAssignorName)
	answer, err = assignLimited(ctx, &a.fallbackLimiter, a.fallback, snapshot)
	return answer, true, err
}

func assignLimited(ctx context.Context, l *limiter, a assignor.Assignor, snapshot assignor.Snapshot) (assignor.Assignment, error) {
	answer, err := limited(ctx, l, func(ctx context.Context) (assignor.Assignment, error) { return a.Assign(ctx, snapshot) })
	if err != nil {
		return assignor.Assignment{}, err
	}
	return answer, assignor.Check(snapshot, answer)
}
