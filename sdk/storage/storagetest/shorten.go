package storagetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/storage"
)

var shortenTests = map[string]func(*testing.T, *fixture){
	"truncate at every batch and append again": func(t *testing.T, f *fixture) {
		f.begin()
		batches := f.fill(25)
		for keep := len(batches) - 1; keep >= 0; keep -= 2 {
			require.NoError(t, f.log.Truncate(t.Context(), batches[keep].BaseOffset()))
			require.Equal(t, batches[keep].BaseOffset(), f.bounds().End)
			require.Equal(t, join(batches[:keep]), f.readAll(0))
			other := batch(batches[keep].BaseOffset(), int32(30-keep), 5, 7)
			f.append(other)
			batches = append(batches[:keep:keep], other)
			require.Equal(t, join(batches), f.readAll(0))
			require.EqualValues(t, len(join(batches)), f.bounds().Bytes)
		}
		freshAndReopened(t, f, func() { require.Equal(t, join(batches), f.readAll(0)) })
	},
	"truncation takes durability back": func(t *testing.T, f *fixture) {
		f.begin()
		batches := f.fill(20)
		_, err := f.log.Sync(t.Context())
		require.NoError(t, err)
		require.NoError(t, f.log.Truncate(t.Context(), batches[7].BaseOffset()))
		require.Equal(t, batches[7].BaseOffset(), f.bounds().Durable)
		f.fill(1)
		require.Equal(t, batches[7].BaseOffset(), f.bounds().Durable)
	},
	"truncation out of range": func(t *testing.T, f *fixture) {
		f.begin()
		f.fill(20)
		require.NoError(t, f.log.Trim(t.Context(), 7))
		before := f.bounds()
		require.ErrorIs(t, f.log.Truncate(t.Context(), 6), storage.ErrOffsetOutOfRange)
		require.ErrorIs(t, f.log.Truncate(t.Context(), before.End+1), storage.ErrOffsetOutOfRange)
		require.NoError(t, f.log.Truncate(t.Context(), before.End))
		require.Equal(t, before, f.bounds())
	},
	"trim to every offset": func(t *testing.T, f *fixture) {
		f.begin()
		batches := f.fill(30)
		bytes := f.bounds().Bytes
		for start := range f.bounds().End + 1 {
			require.NoError(t, f.log.Trim(t.Context(), start))
			require.Equal(t, start, f.bounds().Start)
			require.Equal(t, join(batches[holding(batches, start):]), f.readAll(start))
			require.LessOrEqual(t, f.bounds().Bytes, bytes)
			bytes = f.bounds().Bytes
		}
		require.Less(t, bytes, int64(1024), "whole segments are gone")
		require.NoError(t, f.log.Trim(t.Context(), 3))
		require.Equal(t, f.bounds().End, f.bounds().Start, "the start does not come down")
		freshAndReopened(t, f, func() {
			require.Equal(t, f.bounds().End, f.bounds().Start)
			require.Empty(t, f.readAll(f.bounds().Start))
		})
		f.fill(10)
	},
	"a start inside a batch outlives a restart": func(t *testing.T, f *fixture) {
		f.begin()
		batches := f.fill(30)
		require.NoError(t, f.log.Trim(t.Context(), batches[11].LastOffset()))
		freshAndReopened(t, f, func() {
			require.Equal(t, batches[11].LastOffset(), f.bounds().Start)
			require.Equal(t, join(batches[11:]), f.readAll(f.bounds().Start))
		})
	},
	"trim above the end moves the end": func(t *testing.T, f *fixture) {
		f.begin()
		f.fill(20)
		require.NoError(t, f.log.Trim(t.Context(), 1000))
		freshAndReopened(t, f, func() {
			require.Equal(t, storage.Bounds{Start: 1000, Durable: 1000, End: 1000}, f.bounds())
		})
		batches := f.fill(5)
		require.EqualValues(t, 1000, batches[0].BaseOffset())
		freshAndReopened(t, f, func() { require.Equal(t, join(batches), f.readAll(1000)) })
	},
}
