package storagetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/record"
	"odradek.dev/sdk/storage"
)

// fillWith appends a batch of two records for each largest timestamp.
func (f *fixture) fillWith(timestamps ...int64) []record.Batch {
	f.t.Helper()
	var batches []record.Batch
	for _, ms := range timestamps {
		b := batch(f.bounds().End, 0, 2, ms-1)
		f.append(b)
		batches = append(batches, b)
	}
	return batches
}

// wavering goes up and down, with a largest value in the middle, twice.
func wavering() []int64 {
	var out []int64
	for i := range int64(50) {
		out = append(out, 1000+i*10-(i%4)*35)
	}
	out[20], out[27] = 5000, 5000
	return out
}

func (f *fixture) checkSeek(batches []record.Batch, ms, before, start int64) {
	f.t.Helper()
	var want storage.Position
	found := false
	for _, b := range batches {
		if b.LastOffset() >= start && b.BaseOffset() < before && b.MaxTimestamp() >= ms {
			want, found = storage.Position{BaseOffset: b.BaseOffset(), Timestamp: b.MaxTimestamp()}, true
			break
		}
	}
	at, ok, err := f.log.SeekTime(f.t.Context(), ms, before)
	require.NoError(f.t, err)
	require.Equal(f.t, found, ok, "time %d before %d", ms, before)
	if ok {
		require.Equal(f.t, want, at, "time %d before %d", ms, before)
	}
}

func (f *fixture) checkMax(batches []record.Batch, before, start int64) {
	f.t.Helper()
	var want storage.Position
	found := false
	for _, b := range batches {
		if b.LastOffset() >= start && b.BaseOffset() < before && (!found || b.MaxTimestamp() > want.Timestamp) {
			want, found = storage.Position{BaseOffset: b.BaseOffset(), Timestamp: b.MaxTimestamp()}, true
		}
	}
	at, ok, err := f.log.MaxTime(f.t.Context(), before)
	require.NoError(f.t, err)
	require.Equal(f.t, found, ok, "before %d", before)
	if ok {
		require.Equal(f.t, want, at, "before %d", before)
	}
}

func (f *fixture) checkTimes(batches []record.Batch, start int64) {
	f.t.Helper()
	for before := range f.bounds().End + 2 {
		f.checkMax(batches, before, start)
		for _, ms := range []int64{-1, 0, 1000, 1100, 1101, 1250, 1400, 4999, 5000, 5001} {
			f.checkSeek(batches, ms, before, start)
		}
	}
}

var timeTests = map[string]func(*testing.T, *fixture){
	"an empty log has no times": func(t *testing.T, f *fixture) {
		f.begin()
		f.checkTimes(nil, 0)
	},
	"times that waver": func(t *testing.T, f *fixture) {
		f.begin()
		batches := f.fillWith(wavering()...)
		freshAndReopened(t, f, func() { f.checkTimes(batches, 0) })
	},
	"times that stand still": func(t *testing.T, f *fixture) {
		f.begin()
		batches := f.fillWith(make([]int64, 40)...)
		freshAndReopened(t, f, func() { f.checkTimes(batches, 0) })
	},
	"times after a trim": func(t *testing.T, f *fixture) {
		f.begin()
		batches := f.fillWith(wavering()...)
		for _, start := range []int64{3, 39, 42, 43} {
			require.NoError(t, f.log.Trim(t.Context(), start))
			f.checkTimes(batches, start)
		}
		freshAndReopened(t, f, func() { f.checkTimes(batches, 43) })
	},
	"times after a truncation": func(t *testing.T, f *fixture) {
		f.begin()
		batches := f.fillWith(wavering()...)
		for _, offset := range []int64{84, 56, 54, 40, 2} {
			require.NoError(t, f.log.Truncate(t.Context(), offset))
			f.checkTimes(batches[:offset/2], 0)
		}
		batches = append(batches[:1], f.fillWith(wavering()...)...)
		freshAndReopened(t, f, func() { f.checkTimes(batches, 0) })
	},
}
