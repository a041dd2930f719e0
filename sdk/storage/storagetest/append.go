package storagetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/module"
	"odradek.dev/sdk/record"
	"odradek.dev/sdk/record/recordtest"
	"odradek.dev/sdk/storage"
)

// refused appends bytes that must not be taken, and checks that nothing was.
func refused(t *testing.T, f *fixture, batches []byte, want error) {
	t.Helper()
	before := f.bounds()
	_, err := f.log.Append(t.Context(), storage.Append{Batches: batches})
	require.Equal(t, module.Invalid, module.ClassOf(err), "%v", err)
	if want != nil {
		require.ErrorIs(t, err, want)
	}
	require.Equal(t, before, f.bounds())
}

var appendTests = map[string]func(*testing.T, *fixture){
	"batches are kept byte for byte": func(t *testing.T, f *fixture) {
		f.begin()
		odd := recordtest.Batch(recordtest.Spec{
			Records: recordtest.Values(77, "a", "b"), LeaderEpoch: 4, ProducerID: 9, ProducerEpoch: 2, BaseSequence: 5,
			Codec: 4, Compress: func([]byte) []byte { return []byte("not really zstd") }, Transactional: true,
		})
		require.Equal(t, storage.Appended{End: 2, Rolled: -1}, f.append(odd))
		require.Equal(t, []byte(odd), f.readAll(0))
		require.Equal(t, storage.Bounds{End: 2, Bytes: int64(len(odd))}, f.bounds())
	},
	"the log keeps no reference to what it was given": func(t *testing.T, f *fixture) {
		f.begin()
		b := batch(0, 0, 3, 1)
		given := append([]byte(nil), b...)
		f.append(given)
		clear(given)
		require.Equal(t, []byte(b), f.readAll(0))
	},
	"several batches at once": func(t *testing.T, f *fixture) {
		f.begin()
		a := f.append(batch(0, 0, 2, 1), batch(2, 0, 1, 1), batch(3, 1, 4, 1))
		require.Equal(t, storage.Appended{End: 7, Rolled: -1}, a)
	},
	"an append must begin at the end": func(t *testing.T, f *fixture) {
		f.begin()
		f.fill(2)
		refused(t, f, batch(2, 0, 1, 1), storage.ErrNotContiguous)
		refused(t, f, batch(4, 0, 1, 1), storage.ErrNotContiguous)
		refused(t, f, join([]record.Batch{batch(3, 0, 1, 1), batch(5, 0, 1, 1)}), storage.ErrNotContiguous)
	},
	"an append must be whole batches": func(t *testing.T, f *fixture) {
		f.begin()
		b := batch(0, 0, 2, 1)
		refused(t, f, nil, nil)
		refused(t, f, b[:len(b)-1], nil)
		refused(t, f, append(b[:len(b):len(b)], 0), nil)
		refused(t, f, make([]byte, 100), nil)
	},
	"an append larger than a segment": func(t *testing.T, f *fixture) {
		f.begin()
		f.fill(1)
		refused(t, f, recordtest.Batch(recordtest.Spec{BaseOffset: 1, Records: recordtest.Values(1, string(make([]byte, 1100)))}), storage.ErrTooLarge)
		f.fill(3)
	},
	"segments roll by size, never inside an append": func(t *testing.T, f *fixture) {
		f.begin()
		var rolled []int64
		var batches []record.Batch
		for range 12 {
			next := f.bounds().End
			pair := []record.Batch{batch(next, 0, 2, 1), batch(next+2, 0, 2, 1)}
			if a := f.append(pair...); a.Rolled >= 0 {
				require.Equal(t, next, a.Rolled)
				rolled = append(rolled, a.Rolled)
			}
			batches = append(batches, pair...)
		}
		require.NotEmpty(t, rolled)
		require.Equal(t, join(batches), f.readAll(0))
	},
	"segments roll by age": func(t *testing.T, f *fixture) {
		f.mount()
		c := small()
		c.SegmentMs = 1000
		f.openLog(c)
		for i, step := range []struct{ now, rolled int64 }{{5000, -1}, {6000, -1}, {6001, 2}, {7001, -1}, {7002, 4}} {
			a, err := f.log.Append(t.Context(), storage.Append{Batches: batch(int64(i), 0, 1, 1), Now: step.now})
			require.NoError(t, err)
			require.Equal(t, step.rolled, a.Rolled, "append at %d", step.now)
		}
	},
	"a changed configuration holds from then on": func(t *testing.T, f *fixture) {
		f.begin()
		c := small()
		c.SegmentBytes = 1 << 20
		require.NoError(t, f.log.Configure(t.Context(), c))
		for range 30 {
			require.EqualValues(t, -1, f.append(batch(f.bounds().End, 0, 3, 1)).Rolled)
		}
		require.NoError(t, f.log.Configure(t.Context(), small()))
		require.EqualValues(t, 90, f.append(batch(90, 0, 3, 1)).Rolled)
	},
	"sync says how far it came": func(t *testing.T, f *fixture) {
		f.begin()
		durable, err := f.log.Sync(t.Context())
		require.NoError(t, err)
		require.Zero(t, durable)
		f.fill(30)
		require.Zero(t, f.bounds().Durable)
		durable, err = f.log.Sync(t.Context())
		require.NoError(t, err)
		require.Equal(t, f.bounds().End, durable)
		require.Equal(t, durable, f.bounds().Durable)
	},
	"a clean stop makes all durable and needs no recovery": func(t *testing.T, f *fixture) {
		f.begin()
		batches := f.fill(30)
		before := f.bounds()
		require.Equal(t, storage.Recovery{}, f.reopen())
		after := f.bounds()
		require.Equal(t, after.End, after.Durable)
		before.Durable = before.End
		require.Equal(t, before, after)
		require.Equal(t, join(batches), f.readAll(0))
		batches = append(batches, f.fill(9)...)
		require.Equal(t, join(batches), f.readAll(0))
	},
	"a closed log": func(t *testing.T, f *fixture) {
		f.begin()
		f.fill(3)
		require.NoError(t, f.log.Close(t.Context()))
		for name, call := range callsOf(f.log) {
			require.ErrorIs(t, call(t), storage.ErrClosed, name)
		}
		require.NoError(t, f.log.Close(t.Context()), "closing again is no error")
	},
}

// callsOf is every method of a log but Close.
func callsOf(log storage.Log) map[string]func(*testing.T) error {
	return map[string]func(*testing.T) error{
		"Append": func(t *testing.T) error {
			_, err := log.Append(t.Context(), storage.Append{Batches: batch(6, 0, 1, 1)})
			return err
		},
		"Read": func(t *testing.T) error {
			_, err := log.Read(t.Context(), storage.Read{Before: everything, MaxBytes: 1})
			return err
		},
		"SeekTime":   func(t *testing.T) error { _, _, err := log.SeekTime(t.Context(), 0, everything); return err },
		"MaxTime":    func(t *testing.T) error { _, _, err := log.MaxTime(t.Context(), everything); return err },
		"Bounds":     func(t *testing.T) error { _, err := log.Bounds(t.Context()); return err },
		"Sync":       func(t *testing.T) error { _, err := log.Sync(t.Context()); return err },
		"Truncate":   func(t *testing.T) error { return log.Truncate(t.Context(), 0) },
		"Trim":       func(t *testing.T) error { return log.Trim(t.Context(), 1) },
		"Segments":   func(t *testing.T) error { _, err := log.Segments(t.Context()); return err },
		"Roll":       func(t *testing.T) error { _, err := log.Roll(t.Context()); return err },
		"Rewrite":    func(t *testing.T) error { return log.Rewrite(t.Context(), storage.Rewrite{To: 6, First: true}) },
		"BeginEpoch": func(t *testing.T) error { return log.BeginEpoch(t.Context(), 5) },
		"Epochs":     func(t *testing.T) error { _, err := log.Epochs(t.Context()); return err },
		"SaveState":  func(t *testing.T) error { return log.SaveState(t.Context(), 1, nil) },
		"LoadState":  func(t *testing.T) error { _, _, _, err := log.LoadState(t.Context(), 1); return err },
		"SaveHard":   func(t *testing.T) error { return log.SaveHard(t.Context(), nil) },
		"LoadHard":   func(t *testing.T) error { _, err := log.LoadHard(t.Context()); return err },
		"Configure":  func(t *testing.T) error { return log.Configure(t.Context(), small()) },
	}
}
