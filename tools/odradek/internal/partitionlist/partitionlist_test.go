package partitionlist

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRangesRoundTrip(t *testing.T) {
	for _, text := range []string{"0", "0-1", "0,2", "0-3,7,9-11"} {
		partitions, err := Parse(text)
		require.NoError(t, err)
		require.Equal(t, text, Format(partitions))
	}
	require.Equal(t, "", Format(nil))
	for _, text := range []string{"", "a", "3-1", "-1", "0,", "100000"} {
		_, err := Parse(text)
		require.Error(t, err, text)
	}
}
