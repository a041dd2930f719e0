package storagetest

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func (f *fixture) wantState(upTo, offset int64, state string) {
	f.t.Helper()
	at, got, ok, err := f.log.LoadState(f.t.Context(), upTo)
	require.NoError(f.t, err)
	require.True(f.t, ok, "a state at or below %d", upTo)
	require.Equal(f.t, offset, at)
	require.Equal(f.t, state, string(got))
}

func (f *fixture) wantNoState(upTo int64) {
	f.t.Helper()
	_, _, ok, err := f.log.LoadState(f.t.Context(), upTo)
	require.NoError(f.t, err)
	require.False(f.t, ok, "no state at or below %d", upTo)
}

func (f *fixture) saveState(offset int64, state string) {
	f.t.Helper()
	require.NoError(f.t, f.log.SaveState(f.t.Context(), offset, []byte(state)))
}

var stateTests = map[string]func(*testing.T, *fixture){
	"the newest state at or below": func(t *testing.T, f *fixture) {
		f.begin()
		f.wantNoState(everything)
		f.fill(60)
		segments, err := f.log.Segments(t.Context())
		require.NoError(t, err)
		one, two, three := segments[1].Base, segments[2].Base, segments[3].Base
		f.saveState(one, "one")
		f.saveState(three, "three")
		f.saveState(two, "two")
		f.saveState(two, "two again")
		freshAndReopened(t, f, func() {
			f.wantNoState(one - 1)
			f.wantState(one, one, "one")
			f.wantState(three-1, two, "two again")
			f.wantState(everything, three, "three")
		})
	},
	"the newest state of all is kept within a segment too": func(t *testing.T, f *fixture) {
		f.begin()
		batches := f.fill(60)
		end := f.bounds().End
		segments, err := f.log.Segments(t.Context())
		require.NoError(t, err)
		base := segments[1].Base
		f.saveState(base, "base")
		for _, b := range batches[50:] {
			f.saveState(b.LastOffset()+1, "within")
		}
		freshAndReopened(t, f, func() {
			f.wantState(base, base, "base")
			f.wantState(everything, end, "within")
		})
	},
	"a state may be empty": func(t *testing.T, f *fixture) {
		f.begin()
		f.saveState(0, "")
		freshAndReopened(t, f, func() { f.wantState(0, 0, "") })
	},
	"truncation drops the states above it": func(t *testing.T, f *fixture) {
		f.begin()
		batches := f.fill(30)
		cut := batches[15].BaseOffset()
		for _, offset := range []int64{cut - 1, cut, cut + 1} {
			f.saveState(offset, "s")
		}
		require.NoError(t, f.log.Truncate(t.Context(), cut))
		freshAndReopened(t, f, func() { f.wantState(everything, cut, "s") })
	},
	"trimming keeps what is needed to read on": func(t *testing.T, f *fixture) {
		f.begin()
		f.fill(30)
		f.saveState(5, "five")
		f.saveState(12, "twelve")
		f.saveState(58, "fifty-eight")
		require.NoError(t, f.log.Trim(t.Context(), 50))
		freshAndReopened(t, f, func() {
			f.wantState(everything, 58, "fifty-eight")
			f.wantState(57, 12, "twelve")
			f.wantNoState(11)
		})
	},
	"the hard value is replaced": func(t *testing.T, f *fixture) {
		f.begin()
		value, err := f.log.LoadHard(t.Context())
		require.NoError(t, err)
		require.Nil(t, value)
		for _, want := range []string{"term 3", "", "term 4, and longer than the one before"} {
			require.NoError(t, f.log.SaveHard(t.Context(), []byte(want)))
			freshAndReopened(t, f, func() {
				value, err := f.log.LoadHard(t.Context())
				require.NoError(t, err)
				require.NotNil(t, value)
				require.Equal(t, want, string(value))
			})
		}
	},
}
