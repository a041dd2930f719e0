package coordinator

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The wanted numbers are what Java says of Math.abs(s.hashCode()) % 50, but
// for the hash that has no absolute value, which Kafka takes for 0.
func TestPartitionFor(t *testing.T) {
	for id, want := range map[string]int{
		"": 0, "a": 47, "test": 48, "console-consumer-12345": 6, "größe": 7, "polygenelubricants": 0, "\U0001F600": 49,
	} {
		require.Equal(t, want, partitionFor(id, 50), id)
	}
}
