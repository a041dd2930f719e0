package main

import (
	"bytes"
	"context"

	"odradek.dev/sdk/partitioner"
	"odradek.dev/sdk/partitioner/hash"
)

// Region places "eu|order-1" on a partition of the region "eu". Keys of a
// region without partitions in the topic, and keys without a region, are spread
// over the whole topic; records without a key go to a usable partition by
// chance.
type Region struct {
	regions   map[string][]int32
	separator []byte
	chance    *partitioner.Random
}

// NewRegion takes a valid configuration.
func NewRegion(config Config, seed uint64) *Region {
	return &Region{regions: config.Regions, separator: []byte(config.Separator), chance: partitioner.NewRandom(seed)}
}

// Assign implements partitioner.Partitioner.
func (r *Region) Assign(ctx context.Context, batch partitioner.Batch) ([]int32, error) {
	homes := r.homes(batch.Topic.Partitions)
	return partitioner.Each(ctx, batch, func(_ int, key []byte) int32 {
		if key == nil {
			return r.chance.Usable(&batch.Topic)
		}
		region, _, _ := bytes.Cut(key, r.separator)
		if home := homes[string(region)]; len(home) > 0 {
			return home[hash.Masked(hash.Murmur2(key), int32(len(home)))]
		}
		return hash.Masked(hash.Murmur2(key), batch.Topic.Partitions)
	})
}

// homes is the partitions of each region that a topic of so many has.
func (r *Region) homes(partitions int32) map[string][]int32 {
	homes := make(map[string][]int32, len(r.regions))
	for region, all := range r.regions {
		for _, p := range all {
			if p < partitions {
				homes[region] = append(homes[region], p)
			}
		}
	}
	return homes
}
