package guard

import (
	"context"

	"odradek.dev/sdk/assignor"
)

// Assignor is an assignor whose every answer is exact. Safe for concurrent use.
type Assignor struct {
	instance, fallback assignor.Assignor
	limiter            limiter
	meter              *meter
}

// Assign answers the snapshot, and whether the built-in assignor did since the
// module failed. An error means that there was no fallback either. The snapshot
// must not change afterwards: a call that was given up may still read it.
func (a *Assignor) Assign(ctx context.Context, snapshot assignor.Snapshot) (assignor.Assignment, bool, error) {
	began := a.meter.begin()
	answer, err := limited(ctx, &a.limiter, func(ctx context.Context) (assignor.Assignment, error) {
		return a.instance.Assign(ctx, snapshot)
	})
	a.meter.end(began)
	if err == nil {
		err = assignor.Check(snapshot, answer)
	}
	if err == nil {
		return answer, false, nil
	}
	if a.fallback == nil || ctx.Err() != nil {
		a.meter.fail(err)
		return assignor.Assignment{}, false, err
	}
	a.meter.fallBack(err, FallbackAssignor)
	answer, err = a.fallback.Assign(ctx, snapshot)
	if err == nil {
		err = assignor.Check(snapshot, answer)
	}
	return answer, true, err
}
