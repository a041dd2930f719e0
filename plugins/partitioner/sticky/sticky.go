package sticky

import (
	"context"

	"odradek.dev/sdk/partitioner"
	"odradek.dev/sdk/partitioner/hash"
)

// Sticky is a partitioner.
type Sticky struct {
	batchSize int
	random    *partitioner.Random
	topics    partitioner.TopicState[current]
}

// current is where the records without a key of one topic go now.
type current struct {
	chosen    bool
	partition int32
	// bytes went to the partition since it was chosen; less than the batch
	// size while chosen.
	bytes int
}

// New returns a partitioner that draws from the seed.
func New(config Config, seed uint64) *Sticky {
	return &Sticky{batchSize: config.BatchSize, random: partitioner.NewRandom(seed)}
}

// Assign implements partitioner.Partitioner.
func (s *Sticky) Assign(ctx context.Context, batch partitioner.Batch) ([]int32, error) {
	keyless := false
	partitions, err := partitioner.Each(ctx, batch, func(_ int, key []byte) int32 {
		if key == nil {
			keyless = true
			return 0
		}
		return hash.Masked(hash.Murmur2(key), batch.Topic.Partitions)
	})
	if err == nil && keyless {
		s.stick(batch, partitions)
	}
	return partitions, err
}

// stick places the records without a key.
func (s *Sticky) stick(batch partitioner.Batch, partitions []int32) {
	s.topics.Update(batch.Topic.Name, func(c *current) {
		for i, length := range batch.Keys.Lens {
			if length < 0 {
				partitions[i] = s.next(c, &batch.Topic, batch.Sizes[i])
			}
		}
	})
}

func (s *Sticky) next(c *current, topic *partitioner.Topic, size int32) int32 {
	if !c.chosen || !topic.CanUse(c.partition) {
		*c = current{chosen: true, partition: s.random.Usable(topic)}
	}
	c.bytes += int(max(size, 0))
	c.chosen = c.bytes < s.batchSize
	return c.partition
}
