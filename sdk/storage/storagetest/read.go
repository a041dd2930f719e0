package storagetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/module"
	"odradek.dev/sdk/storage"
)

// freshAndReopened runs a check on a log as it was written, and once more
// after it was closed and opened.
func freshAndReopened(t *testing.T, f *fixture, check func()) {
	t.Helper()
	check()
	f.reopen()
	check()
}

var readTests = map[string]func(*testing.T, *fixture){
	"every offset gives the batch that holds it": func(t *testing.T, f *fixture) {
		f.begin()
		batches := f.fill(60)
		freshAndReopened(t, f, func() {
			for offset := range f.bounds().End {
				want := batches[holding(batches, offset)]
				require.Equal(t, []byte(want), f.read(offset, everything, 1), "offset %d", offset)
			}
		})
	},
	"every limit in bytes": func(t *testing.T, f *fixture) {
		f.begin()
		batches := f.fill(12)
		all := join(batches)
		skipped := 0
		for _, first := range batches {
			for limit := range int64(400) {
				got := f.read(first.BaseOffset(), everything, limit)
				require.LessOrEqual(t, int64(len(got)), max(limit, int64(len(first))))
				require.GreaterOrEqual(t, len(got), len(first))
				require.Equal(t, all[skipped:skipped+len(got)], got)
			}
			skipped += len(first)
		}
	},
	"every bound in offsets": func(t *testing.T, f *fixture) {
		f.begin()
		batches := f.fill(40)
		freshAndReopened(t, f, func() {
			for from := range f.bounds().End {
				for before := range f.bounds().End + 2 {
					first, stop := holding(batches, from), 0
					for stop < len(batches) && batches[stop].BaseOffset() < before {
						stop++
					}
					got := f.read(from, before, everything)
					want := join(batches[min(first, stop):stop])
					require.LessOrEqual(t, len(got), len(want), "%d to %d", from, before)
					require.Equal(t, want[:len(got)], got, "%d to %d", from, before)
					require.Equal(t, len(want) > 0, len(got) > 0, "%d to %d", from, before)
				}
			}
		})
	},
	"reads go on where the last one ended": func(t *testing.T, f *fixture) {
		f.begin()
		batches := f.fill(60)
		freshAndReopened(t, f, func() { require.Equal(t, join(batches), f.readAll(0)) })
	},
	"the end has nothing yet": func(t *testing.T, f *fixture) {
		f.begin()
		require.Empty(t, f.read(0, everything, 100))
		f.fill(20)
		freshAndReopened(t, f, func() { require.Empty(t, f.read(f.bounds().End, everything, 100)) })
	},
	"offsets out of range": func(t *testing.T, f *fixture) {
		f.begin()
		f.fill(20)
		require.NoError(t, f.log.Trim(t.Context(), 5))
		freshAndReopened(t, f, func() {
			for _, offset := range []int64{-1, 0, 4, f.bounds().End + 1} {
				_, err := f.log.Read(t.Context(), storage.Read{Offset: offset, Before: everything, MaxBytes: 1})
				require.ErrorIs(t, err, storage.ErrOffsetOutOfRange, "offset %d", offset)
				require.Equal(t, module.Invalid, module.ClassOf(err))
			}
		})
	},
	"extents stay readable after the log is closed": func(t *testing.T, f *fixture) {
		f.begin()
		batches := f.fill(3)
		chunk, err := f.log.Read(t.Context(), storage.Read{Before: everything, MaxBytes: 1 << 20})
		require.NoError(t, err)
		f.fill(3)
		require.NoError(t, f.log.Close(t.Context()))
		require.Equal(t, join(batches), bytesOf(t, chunk))
	},
	"a file's id is not given to another file": func(t *testing.T, f *fixture) {
		f.begin()
		paths := map[uint64]string{}
		look := func() {
			for offset := f.bounds().Start; offset < f.bounds().End; offset++ {
				chunk, err := f.log.Read(t.Context(), storage.Read{Offset: offset, Before: everything, MaxBytes: 1})
				require.NoError(t, err)
				for _, e := range chunk.Extents {
					if e.Data != nil {
						continue
					}
					if known, ok := paths[e.File.ID]; ok {
						require.Equal(t, known, e.File.Path, "file %d", e.File.ID)
					}
					paths[e.File.ID] = e.File.Path
				}
			}
		}
		f.fill(20)
		look()
		require.NoError(t, f.log.Close(t.Context()))
		require.NoError(t, f.engine.Remove(t.Context(), f.dir, orders(0)))
		f.openLog(small())
		f.fill(20)
		before := len(paths)
		look()
		require.True(t, before == 0 || len(paths) > before, "the files of the new log are new")
	},
}
