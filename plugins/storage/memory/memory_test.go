package memory

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/record/recordtest"
	"odradek.dev/sdk/storage"
)

// TestExtentsKeepTheirBytes truncates under an extent and writes the same
// offsets again.
func TestExtentsKeepTheirBytes(t *testing.T) {
	l := newLog(storage.ID{Topic: "t"})
	write := func(text string) {
		b := recordtest.Batch(recordtest.Spec{BaseOffset: l.end, Records: recordtest.Values(1, text)})
		_, err := l.Append(t.Context(), storage.Append{Batches: b})
		require.NoError(t, err)
	}
	write("one")
	write("two")
	chunk, err := l.Read(t.Context(), storage.Read{Before: 10, MaxBytes: 1 << 20})
	require.NoError(t, err)
	before := slices.Clone(chunk.Extents[0].Data)
	require.NoError(t, l.Truncate(t.Context(), 1))
	write("another")
	require.Equal(t, before, chunk.Extents[0].Data)
}

func TestSegmentsStaySmallWhateverTheConfiguration(t *testing.T) {
	l := newLog(storage.ID{Topic: "t"})
	rolled := 0
	for range 12 {
		b := recordtest.Batch(recordtest.Spec{BaseOffset: l.end, Records: recordtest.Values(1, string(make([]byte, 1<<20)))})
		a, err := l.Append(t.Context(), storage.Append{Batches: b})
		require.NoError(t, err)
		if a.Rolled >= 0 {
			rolled++
		}
	}
	require.Equal(t, 1, rolled)
}
