package partitionertest

import (
	"context"
	"testing"

	"github.com/hashicorp/go-hclog"
	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/clock"
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/partitioner"
	"odradek.dev/sdk/partitioner/golden"
)

// Seed is the seed of the instances that Open builds.
const Seed = 1

// Open builds and starts an instance of a factory in this process, with the
// seed Seed, and stops it at the end of the test.
func Open(t *testing.T, factory module.Factory, settings map[string]any) partitioner.Partitioner {
	t.Helper()
	instance, err := factory.New(module.Env{Log: hclog.NewNullLogger(), Clock: clock.Real(), Seed: Seed}, settings)
	require.NoError(t, err)
	require.NoError(t, module.Start(t.Context(), instance))
	t.Cleanup(func() { require.NoError(t, module.Stop(context.Background(), instance)) })
	p, ok := instance.(partitioner.Partitioner)
	require.True(t, ok, "%s is not a partitioner", factory.Descriptor())
	return p
}

// Topic is a topic of so many partitions, of which those named are available;
// all of them if none is named.
func Topic(partitions int32, available ...int32) partitioner.Topic {
	return partitioner.Topic{Name: "orders", Partitions: partitions, Available: available, Epoch: 1}
}

// recordSize is the size that every record of a test has unless it says
// otherwise.
const recordSize = 100

// Batch is a batch of records of 100 bytes each; a nil key is none.
func Batch(topic partitioner.Topic, keys ...[]byte) partitioner.Batch {
	batch := partitioner.Batch{Topic: topic}
	for _, key := range keys {
		batch.Keys.Append(key)
		batch.Sizes = append(batch.Sizes, recordSize)
	}
	return batch
}

// Keyless is a batch of so many records without keys.
func Keyless(topic partitioner.Topic, records int) partitioner.Batch {
	return Batch(topic, make([][]byte, records)...)
}

// Assign asks for one batch and checks the answer as the host does.
func Assign(t *testing.T, p partitioner.Partitioner, batch partitioner.Batch) []int32 {
	t.Helper()
	partitions, err := p.Assign(t.Context(), batch)
	require.NoError(t, err)
	require.NoError(t, partitioner.Check(batch, partitions))
	return partitions
}

// Golden asserts that p chooses what a client chose.
func Golden(t *testing.T, p partitioner.Partitioner, vectors []golden.Vector) {
	t.Helper()
	byCount := make(map[int32][]golden.Vector)
	for _, v := range vectors {
		byCount[v.Partitions] = append(byCount[v.Partitions], v)
	}
	for count, vectors := range byCount {
		batch := Batch(Topic(count))
		for _, v := range vectors {
			batch.Keys.Append(v.Key)
			batch.Sizes = append(batch.Sizes, recordSize)
		}
		for i, got := range Assign(t, p, batch) {
			require.Equal(t, vectors[i].Partition, got, "key %x of %d partitions", vectors[i].Key, count)
		}
	}
}

// Equal asserts that two instances of equal settings and seeds, as a rule one in
// this process and one in another, answer alike whatever they are asked.
func Equal(t *testing.T, one, other partitioner.Partitioner) {
	t.Helper()
	keys := append(numbered("key", 300), nil, []byte{}, nil, make([]byte, 5000))
	for epoch, topic := range []partitioner.Topic{Topic(1), Topic(7), Topic(7, 2, 3), Topic(1000), Topic(3, 0)} {
		topic.Epoch = int64(epoch)
		for _, batch := range []partitioner.Batch{Batch(topic, keys...), heavy(Keyless(topic, 300))} {
			require.Equal(t, Assign(t, one, batch), Assign(t, other, batch), "%d records for %+v", batch.Keys.Len(), topic)
		}
	}
}
