package logfiles

import (
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/tools/compat/sample"
)

func TestSurvivorsAreTheLastOfEachKey(t *testing.T) {
	var history []sample.Record
	for offset, key := range []string{"a", "b", "a", "", "b", "a"} {
		history = append(history, sample.Record{Offset: int64(offset), Key: []byte(key)})
	}
	for cleanedTo, want := range map[int64][]int64{
		0: {0, 1, 2, 3, 4, 5},
		2: {0, 1, 2, 3, 4, 5},
		3: {1, 2, 3, 4, 5},
		5: {2, 3, 4, 5},
		6: {3, 4, 5},
	} {
		var got []int64
		for _, r := range survivors(history, cleanedTo) {
			got = append(got, r.Offset)
		}
		require.Equal(t, want, got, "cleaned to %d", cleanedTo)
	}
}
