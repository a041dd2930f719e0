package supervise

import (
	"context"

	"odradek.dev/sdk/partitioner"
)

type partitionerProxy struct{ anyProxy }

var _ partitioner.Partitioner = (*partitionerProxy)(nil)

func (p *partitionerProxy) Assign(ctx context.Context, batch partitioner.Batch) ([]int32, error) {
	return forward(ctx, p.module, func(current partitioner.Partitioner) ([]int32, error) {
		return current.Assign(ctx, batch)
	})
}
