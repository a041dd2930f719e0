package memory

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/module"
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

// A directory that had another id after a start would be missing, and its
// partitions offline.
func TestADirectoryHasTheSameIDInEachProcess(t *testing.T) {
	idOf := func(m storage.Mount) [16]byte {
		mounted, err := newEngine(module.Env{}).Mount(t.Context(), m)
		require.NoError(t, err)
		return mounted.DirectoryID
	}
	one := storage.Mount{Dir: "/one", ClusterID: "c", Node: 1}
	require.Equal(t, idOf(one), idOf(one))
	require.NotEqual(t, idOf(one), idOf(storage.Mount{Dir: "/two", ClusterID: "c", Node: 1}))
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
