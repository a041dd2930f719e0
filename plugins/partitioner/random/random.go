package random

import (
	"context"

	"odradek.dev/sdk/partitioner"
)

// Random is a partitioner.
type Random struct{ chance *partitioner.Random }

// New returns a partitioner that draws from the seed.
func New(seed uint64) *Random { return &Random{chance: partitioner.NewRandom(seed)} }

// Assign implements partitioner.Partitioner.
func (r *Random) Assign(ctx context.Context, batch partitioner.Batch) ([]int32, error) {
	return partitioner.Each(ctx, batch, func(int, []byte) int32 { return r.chance.Usable(&batch.Topic) })
}
