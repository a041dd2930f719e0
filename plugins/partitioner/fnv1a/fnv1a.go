package fnv1a

import (
	"context"

	"odradek.dev/sdk/partitioner"
	"odradek.dev/sdk/partitioner/hash"
)

// FNV1a is a partitioner.
type FNV1a struct{ chance *partitioner.Random }

// New returns a partitioner that draws from the seed.
func New(seed uint64) *FNV1a { return &FNV1a{chance: partitioner.NewRandom(seed)} }

// Assign implements partitioner.Partitioner.
func (p *FNV1a) Assign(ctx context.Context, batch partitioner.Batch) ([]int32, error) {
	return partitioner.Each(ctx, batch, func(_ int, key []byte) int32 {
		if key == nil {
			return p.chance.Usable(&batch.Topic)
		}
		return hash.SignedAbs(hash.FNV1a(key), batch.Topic.Partitions)
	})
}
