package partition

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/storage"
)

func TestHighWatermarksAreKeptSomeTimeAfterTheyMoved(t *testing.T) {
	h := newHouse(t, 2)
	h.create("orders", 4)
	kept := func(number int32) int64 { return h.engine.HighWatermark(h.partition("orders", number).ID()) }
	interval := 5 * time.Second
	h.clock.Advance(interval)
	written := h.engine.Checkpoints
	h.clock.Advance(time.Hour)
	require.Equal(t, written, h.engine.Checkpoints, "nothing moved")

	for range 3 {
		mustAppend(t, h.partition("orders", 1), values("a", "b"))
	}
	h.clock.Advance(interval - time.Millisecond)
	require.Zero(t, kept(1))
	h.clock.Advance(time.Millisecond)
	require.EqualValues(t, 6, kept(1))
	require.Equal(t, written+1, h.engine.Checkpoints, "in the one directory, once")

	mustAppend(t, h.partition("orders", 1), values("a"))
	mustAppend(t, h.partition("orders", 2), values("a"))
	require.NoError(t, h.registry.Close(t.Context()))
	require.EqualValues(t, 7, kept(1), "a clean stop keeps the last ones")
	require.EqualValues(t, 1, kept(2))
}

func TestNoIntervalKeepsHighWatermarksAtAStopOnly(t *testing.T) {
	h := newHouse(t, 1)
	h.config.HighWatermarkCheckpointMs = 0
	h.create("orders", 1)
	h.clock.Advance(time.Minute)
	p := h.partition("orders", 0)
	mustAppend(t, p, values("a"))
	h.clock.Advance(time.Hour)
	require.Zero(t, h.engine.HighWatermark(p.ID()))
	require.NoError(t, h.registry.Close(t.Context()))
	require.EqualValues(t, 1, h.engine.HighWatermark(p.ID()))
}

// A directory that vanished under files that are open is noticed here.
func TestHighWatermarksThatCannotBeKeptTakeTheDirectoryOffline(t *testing.T) {
	h := newHouse(t, 2)
	h.create("orders", 2)
	h.clock.Advance(time.Hour)
	p := h.partition("orders", 1)
	h.engine.FailCheckpoint = func(dir string) error {
		if dir == p.Dir() {
			return diskError(dir)
		}
		return nil
	}
	mustAppend(t, p, values("a"))
	h.clock.Advance(time.Hour)
	h.registry.host.failing.Wait()
	require.Error(t, p.Failure())
	require.ErrorIs(t, h.registry.DirectoryFailure(p.Dir()), storage.ErrDirectoryFailed)
	mustAppend(t, h.partition("orders", 0), values("a"))
}
