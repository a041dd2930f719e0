package storagetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/record"
	"odradek.dev/sdk/record/recordtest"
	"odradek.dev/sdk/storage"
)

func (f *fixture) segments() []storage.Segment {
	f.t.Helper()
	all, err := f.log.Segments(f.t.Context())
	require.NoError(f.t, err)
	return all
}

// checkSegments holds the list to the batches that the log should have.
func (f *fixture) checkSegments(batches []record.Batch) []storage.Segment {
	f.t.Helper()
	all, bounds := f.segments(), f.bounds()
	require.NotEmpty(f.t, all)
	require.LessOrEqual(f.t, all[0].Base, bounds.Start)
	if len(all) > 1 {
		require.Greater(f.t, all[1].Base, bounds.Start, "a segment below the start is gone")
	}
	require.Equal(f.t, bounds.End, all[len(all)-1].End)
	var bytes int64
	for i, s := range all {
		if i > 0 {
			require.Equal(f.t, all[i-1].End, s.Base)
		}
		want := storage.Segment{Base: s.Base, End: s.End, MaxTimestamp: -1}
		for _, b := range batches {
			if b.BaseOffset() >= s.Base && b.BaseOffset() < s.End {
				want.Bytes += int64(b.Size())
				want.MaxTimestamp = max(want.MaxTimestamp, b.MaxTimestamp())
			}
		}
		require.Equal(f.t, want, s)
		bytes += s.Bytes
	}
	require.Equal(f.t, bounds.Bytes, bytes)
	return all
}

func (f *fixture) roll(want int64) {
	f.t.Helper()
	rolled, err := f.log.Roll(f.t.Context())
	require.NoError(f.t, err)
	require.Equal(f.t, want, rolled)
}

var segmentTests = map[string]func(*testing.T, *fixture){
	"an empty log has one empty segment": func(t *testing.T, f *fixture) {
		f.begin()
		freshAndReopened(t, f, func() { require.Len(t, f.checkSegments(nil), 1) })
	},
	"segments are as appends began them": func(t *testing.T, f *fixture) {
		f.begin()
		bases := []int64{0}
		var batches []record.Batch
		for _, ms := range wavering() {
			b := batch(f.bounds().End, 0, 2, ms-1)
			if a := f.append(b); a.Rolled >= 0 {
				bases = append(bases, a.Rolled)
			}
			batches = append(batches, b)
		}
		freshAndReopened(t, f, func() {
			all := f.checkSegments(batches)
			require.Len(t, all, len(bases))
			for i, s := range all {
				require.Equal(t, bases[i], s.Base)
			}
		})
	},
	"segments after a trim": func(t *testing.T, f *fixture) {
		f.begin()
		batches := f.fillWith(wavering()...)
		all := f.checkSegments(batches)
		require.Greater(t, len(all), 3)
		for _, start := range []int64{all[1].Base, all[2].Base + 1, all[3].Base} {
			require.NoError(t, f.log.Trim(t.Context(), start))
			f.checkSegments(batches)
		}
		require.Equal(t, all[3:], f.segments())
		freshAndReopened(t, f, func() { require.Equal(t, all[3:], f.checkSegments(batches)) })
	},
	"segments after a truncation": func(t *testing.T, f *fixture) {
		f.begin()
		batches := f.fillWith(wavering()...)
		for _, offset := range []int64{84, 56, 40, 0} {
			require.NoError(t, f.log.Truncate(t.Context(), offset))
			f.checkSegments(batches[:offset/2])
		}
		batches = f.fillWith(wavering()...)
		freshAndReopened(t, f, func() { f.checkSegments(batches) })
	},
	"a roll begins a segment at the end": func(t *testing.T, f *fixture) {
		f.begin()
		f.roll(-1)
		batches := f.fill(2)
		end := f.bounds().End
		f.roll(end)
		f.roll(-1)
		require.Len(t, f.checkSegments(batches), 2)
		require.EqualValues(t, -1, f.append(batch(end, 0, 1, 7)).Rolled, "the new segment takes the append")
		batches = append(batches, batch(end, 0, 1, 7))
		require.Len(t, f.checkSegments(batches), 2)
		freshAndReopened(t, f, func() {
			require.Len(t, f.checkSegments(batches), 2)
			require.Equal(t, join(batches), f.readAll(0))
		})
	},
	"all goes but an empty segment": func(t *testing.T, f *fixture) {
		f.begin()
		f.fill(20)
		end := f.bounds().End
		f.roll(end)
		require.NoError(t, f.log.Trim(t.Context(), end))
		freshAndReopened(t, f, func() {
			require.Equal(t, []storage.Segment{{Base: end, End: end, MaxTimestamp: -1}}, f.segments())
			require.Equal(t, storage.Bounds{Start: end, Durable: end, End: end}, f.bounds())
		})
		f.fill(3)
	},
	"a segment that a trim had to leave goes once it is rolled": func(t *testing.T, f *fixture) {
		f.begin()
		f.fill(2)
		end := f.bounds().End
		require.NoError(t, f.log.Trim(t.Context(), end))
		require.Positive(t, f.bounds().Bytes, "the active segment is left")
		f.roll(end)
		require.NoError(t, f.log.Trim(t.Context(), end))
		freshAndReopened(t, f, func() {
			require.Equal(t, storage.Bounds{Start: end, Durable: end, End: end}, f.bounds())
			require.Len(t, f.segments(), 1)
		})
	},
	"batches without timestamps": func(t *testing.T, f *fixture) {
		f.begin()
		f.append(recordtest.Batch(recordtest.Spec{Records: recordtest.Values(-1, "a", "b")}))
		undated := func() int64 { return f.segments()[0].MaxTimestamp }
		require.GreaterOrEqual(t, undated(), int64(-1))
		f.append(batch(2, 0, 1, 3))
		require.EqualValues(t, 3, undated(), "one has, and that is what counts")
	},
}
