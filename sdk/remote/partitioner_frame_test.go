package remote

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/partitioner"
	"odradek.dev/sdk/record"
)

func FuzzPartitionPayload(f *testing.F) {
	var keys record.Blobs
	keys.Append([]byte("key"))
	keys.Append(nil)
	whole := appendBatch(nil, partitioner.Batch{
		Topic: partitioner.Topic{Name: "t", Partitions: 3, Available: []int32{0, 2}, Epoch: 5}, Keys: keys, Sizes: []int32{9, 9},
	})
	for n := range len(whole) + 1 {
		f.Add(whole[:n])
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		batch, err := parseBatch(b)
		if err != nil {
			return
		}
		require.Equal(t, b, appendBatch(nil, batch))
	})
}

func TestPartitionPayloadWithHugeCounts(t *testing.T) {
	payload := make([]byte, 18)
	for i := 14; i < 18; i++ {
		payload[i] = 0xff
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := parseBatch(payload)
	runtime.ReadMemStats(&after)
	require.ErrorContains(t, err, "shorter than its counts say")
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(1<<20))
}
