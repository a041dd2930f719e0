package crc32

import (
	"context"

	"odradek.dev/sdk/partitioner"
	"odradek.dev/sdk/partitioner/hash"
)

// CRC32 is a partitioner.
type CRC32 struct {
	// emptyByChance is what consistent_random does with the empty key and none.
	emptyByChance bool
	chance        *partitioner.Random
}

// New returns a partitioner that draws from the seed.
func New(config Config, seed uint64) *CRC32 {
	return &CRC32{emptyByChance: config.Partitioner == ConsistentRandom, chance: partitioner.NewRandom(seed)}
}

// Assign implements partitioner.Partitioner.
func (p *CRC32) Assign(ctx context.Context, batch partitioner.Batch) ([]int32, error) {
	return partitioner.Each(ctx, batch, func(_ int, key []byte) int32 {
		if len(key) == 0 && p.emptyByChance {
			return p.chance.Usable(&batch.Topic)
		}
		return hash.Unsigned(hash.CRC32(key), batch.Topic.Partitions)
	})
}
