package partitioner

import (
	"context"

	"odradek.dev/sdk/module"
)

// checkEvery is how many records pass between two looks at the deadline.
const checkEvery = 1024

// Validate reports what is wrong with a batch before it is walked: a topic
// without partitions, or columns of different lengths.
func (b *Batch) Validate() error {
	switch {
	case b.Topic.Partitions < 1:
		return module.Invalidf("topic %q has %d partitions; a partitioner needs at least one", b.Topic.Name, b.Topic.Partitions)
	case len(b.Sizes) != b.Keys.Len():
		return module.Invalidf("batch for topic %q has %d keys and %d sizes; give one size for each key", b.Topic.Name, b.Keys.Len(), len(b.Sizes))
	case !b.Keys.Valid():
		return module.Invalidf("batch for topic %q has key lengths that do not fit its key data", b.Topic.Name)
	}
	return nil
}

// Each answers a batch by asking place for one record after the other, in
// order. It validates the batch first and stops with the context's error once
// that has ended. The key is nil for a record without one; it aliases the
// batch, and place must not keep it.
func Each(ctx context.Context, batch Batch, place func(record int, key []byte) int32) ([]int32, error) {
	if err := batch.Validate(); err != nil {
		return nil, err
	}
	partitions := make([]int32, batch.Keys.Len())
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for i, key := range batch.Keys.All() {
		if i%checkEvery == checkEvery-1 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		partitions[i] = place(i, key)
	}
	return partitions, nil
}
