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
		f.fill(30)
		f.saveState(10, "ten")
		f.saveState(30, "thirty")
		f.saveState(20, "twenty")
		f.saveState(20, "twenty again")
		freshAndReopened(t, f, func() {
			f.wantNoState(9)
			f.wantState(10, 10, "ten")
			f.wantState(29, 20, "twenty again")
			f.wantState(everything, 30, "thirty")
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
