package storagetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/storage"
)

func (f *fixture) wantEpochs(want ...storage.EpochStart) {
	f.t.Helper()
	got, err := f.log.Epochs(f.t.Context())
	require.NoError(f.t, err)
	if len(want) == 0 {
		require.Empty(f.t, got)
		return
	}
	require.Equal(f.t, want, got)
}

// epochsFrom0 is a log with epoch 0 at 0, 3 at 4 and 4 at 6, ending at 9.
func (f *fixture) epochsFrom0() {
	f.t.Helper()
	f.begin()
	f.append(batch(0, 0, 2, 1))
	f.append(batch(2, 0, 2, 1))
	f.append(batch(4, 3, 2, 1), batch(6, 4, 3, 1))
}

var epochTests = map[string]func(*testing.T, *fixture){
	"batches note their epochs": func(t *testing.T, f *fixture) {
		f.begin()
		f.wantEpochs()
		f.append(batch(0, -1, 1, 1))
		f.wantEpochs()
		f.append(batch(1, 0, 1, 1))
		f.append(batch(2, 0, 1, 1))
		freshAndReopened(t, f, func() { f.wantEpochs(storage.EpochStart{Epoch: 0, Start: 1}) })
	},
	"several in one append": func(t *testing.T, f *fixture) {
		f.epochsFrom0()
		freshAndReopened(t, f, func() {
			f.wantEpochs(storage.EpochStart{Epoch: 0, Start: 0}, storage.EpochStart{Epoch: 3, Start: 4}, storage.EpochStart{Epoch: 4, Start: 6})
		})
	},
	"an epoch without batches": func(t *testing.T, f *fixture) {
		f.epochsFrom0()
		require.NoError(t, f.log.Truncate(t.Context(), 4))
		require.NoError(t, f.log.BeginEpoch(t.Context(), 7))
		require.NoError(t, f.log.BeginEpoch(t.Context(), 7))
		require.NoError(t, f.log.BeginEpoch(t.Context(), 6))
		freshAndReopened(t, f, func() {
			f.wantEpochs(storage.EpochStart{Epoch: 0, Start: 0}, storage.EpochStart{Epoch: 7, Start: 4})
		})
		require.NoError(t, f.log.BeginEpoch(t.Context(), 8))
		f.wantEpochs(storage.EpochStart{Epoch: 0, Start: 0}, storage.EpochStart{Epoch: 8, Start: 4})
		f.append(batch(4, 8, 1, 1))
		f.wantEpochs(storage.EpochStart{Epoch: 0, Start: 0}, storage.EpochStart{Epoch: 8, Start: 4})
	},
	"truncation takes epochs off the end": func(t *testing.T, f *fixture) {
		f.epochsFrom0()
		require.NoError(t, f.log.BeginEpoch(t.Context(), 9))
		require.NoError(t, f.log.Truncate(t.Context(), 9))
		f.wantEpochs(storage.EpochStart{Epoch: 0, Start: 0}, storage.EpochStart{Epoch: 3, Start: 4}, storage.EpochStart{Epoch: 4, Start: 6})
		require.NoError(t, f.log.Truncate(t.Context(), 6))
		f.wantEpochs(storage.EpochStart{Epoch: 0, Start: 0}, storage.EpochStart{Epoch: 3, Start: 4})
		require.NoError(t, f.log.Truncate(t.Context(), 0))
		freshAndReopened(t, f, func() { f.wantEpochs() })
	},
	"trimming takes epochs off the start": func(t *testing.T, f *fixture) {
		f.epochsFrom0()
		require.NoError(t, f.log.Trim(t.Context(), 5))
		freshAndReopened(t, f, func() {
			f.wantEpochs(storage.EpochStart{Epoch: 3, Start: 5}, storage.EpochStart{Epoch: 4, Start: 6})
		})
		require.NoError(t, f.log.Trim(t.Context(), 6))
		f.wantEpochs(storage.EpochStart{Epoch: 4, Start: 6})
		require.NoError(t, f.log.Trim(t.Context(), 100))
		freshAndReopened(t, f, func() { f.wantEpochs(storage.EpochStart{Epoch: 4, Start: 100}) })
	},
}
