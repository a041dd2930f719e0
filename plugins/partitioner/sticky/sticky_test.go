package sticky_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/plugins/partitioner/sticky"
	"odradek.dev/sdk/partitioner"
	"odradek.dev/sdk/partitioner/partitionertest"
)

func TestStaysUntilTheBatchIsFull(t *testing.T) {
	p := sticky.New(sticky.Config{BatchSize: 1000}, 3)
	var runs []int
	last := int32(-1)
	for range 50 { // batches of 7 records do not end where runs of 10 do
		for _, chosen := range partitionertest.Assign(t, p, partitionertest.Keyless(partitionertest.Topic(1000), 7)) {
			if chosen != last {
				runs, last = append(runs, 0), chosen
			}
			runs[len(runs)-1]++
		}
	}
	require.Equal(t, slices.Repeat([]int{10}, 35), runs)
}

func TestKeysDoNotFillTheBatch(t *testing.T) {
	p := sticky.New(sticky.Config{BatchSize: 300}, 3)
	topic := partitionertest.Topic(1000)
	first := partitionertest.Assign(t, p, partitionertest.Batch(topic, nil, []byte("a"), []byte("b"), []byte("c"), nil, nil))
	require.Equal(t, []int32{first[0], first[0]}, first[4:])
	require.NotEqual(t, first[0], partitionertest.Assign(t, p, partitionertest.Keyless(topic, 1))[0])
}

func TestTopicsFillTheirOwnBatches(t *testing.T) {
	p := sticky.New(sticky.Config{BatchSize: 200}, 3)
	orders, bills := partitionertest.Topic(1000), partitionertest.Topic(1000)
	bills.Name = "bills"
	first := partitionertest.Assign(t, p, partitionertest.Keyless(orders, 1))
	partitionertest.Assign(t, p, partitionertest.Keyless(bills, 1))
	require.Equal(t, first, partitionertest.Assign(t, p, partitionertest.Keyless(orders, 1)))
}

func TestLeavesAPartitionThatIsNotUsable(t *testing.T) {
	p := sticky.New(sticky.Defaults(), 3)
	topic := partitionertest.Topic(4, 0, 1)
	first := partitionertest.Assign(t, p, partitionertest.Keyless(topic, 1))[0]
	topic.Available, topic.Epoch = []int32{1 - first}, 2
	require.Equal(t, []int32{1 - first}, partitionertest.Assign(t, p, partitionertest.Keyless(topic, 1)))
}

func TestEqualSeedsDrawEqually(t *testing.T) {
	draw := func(seed uint64) []int32 {
		p := sticky.New(sticky.Config{}, seed)
		return partitionertest.Assign(t, p, partitionertest.Keyless(partitionertest.Topic(1000), 100))
	}
	require.Equal(t, draw(7), draw(7))
	require.NotEqual(t, draw(7), draw(8))
}

func TestSettings(t *testing.T) {
	require.NoError(t, sticky.Factory().Check(map[string]any{"batch.size": 0}))
	require.ErrorContains(t, sticky.Factory().Check(map[string]any{"batch.size": -1}), "batch.size is -1")
}

func BenchmarkThousandKeys(b *testing.B)    { benchmark(b, []byte("customer-0123456789")) }
func BenchmarkThousandKeyless(b *testing.B) { benchmark(b, nil) }

func benchmark(b *testing.B, key []byte) {
	p := sticky.New(sticky.Defaults(), 1)
	batch := partitionertest.Batch(partitionertest.Topic(12), slices.Repeat([][]byte{key}, 1000)...)
	var _ partitioner.Partitioner = p
	b.ReportAllocs()
	for b.Loop() {
		if _, err := p.Assign(b.Context(), batch); err != nil {
			b.Fatal(err)
		}
	}
}
