package roundrobin

import (
	"context"

	"odradek.dev/sdk/partitioner"
)

// RoundRobin is a partitioner.
type RoundRobin struct {
	// seen counts the records of each topic, modulo 2^32.
	seen partitioner.TopicState[uint32]
}

// New returns a partitioner that begins with the first usable partition.
func New() *RoundRobin { return new(RoundRobin) }

// Assign implements partitioner.Partitioner.
func (r *RoundRobin) Assign(ctx context.Context, batch partitioner.Batch) (partitions []int32, err error) {
	r.seen.Update(batch.Topic.Name, func(seen *uint32) {
		partitions, err = partitioner.Each(ctx, batch, func(int, []byte) int32 {
			turn := *seen
			*seen++
			return batch.Topic.Nth(int32(turn % uint32(batch.Topic.Usable())))
		})
	})
	return partitions, err
}
