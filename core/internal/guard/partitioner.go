package guard

import (
	"context"

	"odradek.dev/sdk/module"
	"odradek.dev/sdk/partitioner"
)

// Partitioner is a partitioner whose every answer is legal. Safe for concurrent
// use.
type Partitioner struct {
	instance, fallback       partitioner.Partitioner
	limiter, fallbackLimiter limiter
	meter                    *meter
}

// Assign answers one partition for each key of batch, and whether the built-in
// partitioner chose them since the module failed. An error means that the
// fallback failed too, that there is none, or that ctx has ended. The batch must
// not change afterwards: a call that was given up may still read it.
func (p *Partitioner) Assign(ctx context.Context, batch partitioner.Batch) ([]int32, bool, error) {
	if batch.Topic.Partitions < 1 {
		return nil, false, module.Invalidf("topic %q has no partitions", batch.Topic.Name)
	}
	began := p.meter.begin()
	answer, err := chooseLimited(ctx, &p.limiter, p.instance, batch)
	p.meter.end(began)
	switch {
	case err == nil:
		return answer, false, nil
	case ctx.Err() != nil:
		return nil, false, ctx.Err()
	case p.fallback == nil:
		p.meter.fail(err)
		return nil, false, err
	}
	p.meter.fallBack(err, FallbackPartitionerName)
	answer, err = chooseLimited(ctx, &p.fallbackLimiter, p.fallback, batch)
	return answer, true, err
}

func chooseLimited(ctx context.Context, l *limiter, p partitioner.Partitioner, batch partitioner.Batch) ([]int32, error) {
	answer, err := limited(ctx, l, func(ctx context.Context) ([]int32, error) { return p.Assign(ctx, batch) })
	if err != nil {
		return nil, err
	}
	return answer, partitioner.Check(batch, answer)
}
