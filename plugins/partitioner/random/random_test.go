package random_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/plugins/partitioner/random"
	"odradek.dev/sdk/partitioner/partitionertest"
)

func TestEqualSeedsDrawEqually(t *testing.T) {
	draw := func(seed uint64) []int32 {
		return partitionertest.Assign(t, random.New(seed), partitionertest.Keyless(partitionertest.Topic(1000), 100))
	}
	require.Equal(t, draw(7), draw(7))
	require.NotEqual(t, draw(7), draw(8))
}
