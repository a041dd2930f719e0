package murmur2

import (
	"context"

	"odradek.dev/sdk/partitioner"
	"odradek.dev/sdk/partitioner/hash"
)

// Murmur2 is a partitioner.
type Murmur2 struct{ chance *partitioner.Random }

// New returns a partitioner that draws from the seed.
func New(seed uint64) *Murmur2 { return &Murmur2{chance: partitioner.NewRandom(seed)} }

// Assign implements partitioner.Partitioner.
func (p *Murmur2) Assign(ctx context.Context, batch partitioner.Batch) ([]int32, error) {
	return partitioner.Each(ctx, batch, func(_ int, key []byte) int32 {
		if key == nil {
			return p.chance.Usable(&batch.Topic)
		}
		return hash.Masked(hash.Murmur2(key), batch.Topic.Partitions)
	})
}
