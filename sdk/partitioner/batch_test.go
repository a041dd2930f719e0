package partitioner_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/module"
	"odradek.dev/sdk/partitioner"
	"odradek.dev/sdk/partitioner/partitionertest"
	"odradek.dev/sdk/record"
)

func TestEachRefusesWhatIsNoBatch(t *testing.T) {
	keys := record.Blobs{Data: []byte("ab"), Lens: []int32{1, 1}}
	for name, batch := range map[string]partitioner.Batch{
		"topic \"t\" has 0 partitions": {Topic: partitioner.Topic{Name: "t"}, Keys: keys, Sizes: []int32{1, 1}},
		"2 keys and 1 sizes":           {Topic: partitionertest.Topic(1), Keys: keys, Sizes: []int32{1}},
		"do not fit its key data":      {Topic: partitionertest.Topic(1), Keys: record.Blobs{Lens: []int32{1}}, Sizes: []int32{1}},
	} {
		_, err := partitioner.Each(t.Context(), batch, func(int, []byte) int32 {
			t.Errorf("%s: was walked", name)
			return 0
		})
		require.ErrorContains(t, err, name)
		require.Equal(t, module.Invalid, module.ClassOf(err))
	}
}

func TestEachStopsInTheMiddleOfALargeBatch(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	placed := 0
	_, err := partitioner.Each(ctx, partitionertest.Keyless(partitionertest.Topic(3), 100_000), func(int, []byte) int32 {
		placed++
		cancel()
		return 0
	})
	require.ErrorIs(t, err, context.Canceled)
	require.Less(t, placed, 2000)
}

func TestCheckRefusesWrongAnswers(t *testing.T) {
	batch := partitionertest.Keyless(partitionertest.Topic(3), 2)
	require.NoError(t, partitioner.Check(batch, []int32{0, 2}))
	for _, wrong := range [][]int32{nil, {0}, {0, 0, 0}, {0, 3}, {-1, 0}} {
		require.Error(t, partitioner.Check(batch, wrong), "%v", wrong)
	}
}

func TestUsablePartitions(t *testing.T) {
	all, some := partitionertest.Topic(3), partitionertest.Topic(9, 2, 5, 7)
	require.Equal(t, []int32{3, 0, 2}, []int32{all.Usable(), all.Nth(0), all.Nth(2)})
	require.Equal(t, []int32{3, 2, 7}, []int32{some.Usable(), some.Nth(0), some.Nth(2)})
	require.Equal(t, []bool{true, false, false}, []bool{all.CanUse(2), all.CanUse(3), all.CanUse(-1)})
	require.Equal(t, []bool{true, false, false}, []bool{some.CanUse(5), some.CanUse(4), some.CanUse(9)})
}
