package partition

import (
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/core/internal/metadata"
	"odradek.dev/sdk/storage"
)

func diskError(dir string) error {
	return storage.ErrDirectoryFailed.With("%s: %v", dir, syscall.EIO)
}

// breakDirectory has the next append to a partition meet a failing disk.
func (h *house) breakDirectory(p *Partition) {
	h.t.Helper()
	h.engine.FailAppend = func() error { return diskError(p.Dir()) }
	a, decided := p.Append(values("a"), 1, nil, 0)
	h.engine.FailAppend = nil
	require.True(h.t, decided)
	require.Equal(h.t, kerr.KafkaStorageError, a.Refusal.Kind)
	h.registry.host.failing.Wait()
}

func TestAFailedDirectoryGoesOfflineAndTheOthersServeOn(t *testing.T) {
	h := newHouse(t, 3)
	h.create("orders", 6)
	bad := h.partition("orders", 0)
	var lost, kept []*Partition
	for i := range int32(6) {
		if p := h.partition("orders", i); p.Dir() == bad.Dir() {
			lost = append(lost, p)
		} else {
			kept = append(kept, p)
		}
	}
	require.Len(t, lost, 2)
	sibling := lost[1]
	_, watch, woken := park(sibling, 1, 1<<20)
	h.breakDirectory(bad)
	sibling.Unwatch(watch)
	require.EqualValues(t, 1, woken.count.Load(), "whoever waits is told")

	for _, p := range lost {
		require.ErrorContains(t, p.Failure(), "input/output error")
		require.Equal(t, kerr.KafkaStorageError, p.Read(0, AnyEpoch, 1).Refusal.Kind)
		a, decided := p.Append(values("a"), -1, nil, 0)
		require.True(t, decided)
		require.Equal(t, kerr.KafkaStorageError, a.Refusal.Kind)
	}
	for _, p := range kept {
		mustAppend(t, p, values("a"))
	}
	require.ErrorIs(t, h.registry.DirectoryFailure(bad.Dir()), storage.ErrDirectoryFailed)
	require.NoError(t, h.registry.DirectoryFailure(kept[0].Dir()))
	stats := h.registry.Stats()
	require.Equal(t, []int{3, 1, 2}, []int{stats.Directories, stats.OfflineDirectories, stats.Offline})
	require.Equal(t, []string{bad.Dir()}, h.engine.Unmounted, "it is let go")
	require.Equal(t, 1, strings.Count(h.log.String(), "[ERROR]"), h.log.String())

	h.create("more", 4)
	for i := range int32(4) {
		require.NotEqual(t, bad.Dir(), h.partition("more", i).Dir())
		mustAppend(t, h.partition("more", i), values("a"))
	}
	h.plan(metadata.CreatePartitions(t.Context(), h.image, h.rules, []metadata.NewPartitions{{Topic: "orders", Count: 9}}))
	require.NotEqual(t, bad.Dir(), h.partition("orders", 8).Dir())
	h.remove("orders")
	for _, id := range h.engine.Removed {
		require.NotEqual(t, bad.ID(), id, "what is on a failed disk is left to the next start")
	}
	require.Empty(t, h.failed)
	require.NoError(t, h.registry.Close(t.Context()))
	require.Len(t, h.engine.Unmounted, 3, "each once")
}

func TestTheLastDirectoryThatFailsIsTold(t *testing.T) {
	h := newHouse(t, 2)
	h.create("orders", 2)
	h.breakDirectory(h.partition("orders", 0))
	require.Empty(t, h.failed)
	h.breakDirectory(h.partition("orders", 1))
	require.Len(t, h.failed, 1)
	require.ErrorContains(t, h.failed[0], "no directory is left to serve from")
	h.create("more", 1)
	require.Error(t, h.partition("more", 0).Failure())
	require.Len(t, h.failed, 1)
}

// Every partition of a directory meets the failure at once, as on a real disk.
func TestPartitionsThatFailTogetherDoNotWaitForOneAnother(t *testing.T) {
	h := newHouse(t, 2)
	h.create("orders", 64)
	h.engine.FailAppend = func() error { return diskError("all") }
	var writers sync.WaitGroup
	for i := range int32(64) {
		if p := h.partition("orders", i); p.Dir() == h.config.LogDirs[0] {
			writers.Go(func() { p.Append(values("a"), 1, nil, 0) })
		}
	}
	writers.Wait()
	h.registry.host.failing.Wait()
	require.Equal(t, 32, h.registry.Stats().Offline)
	require.Equal(t, []string{h.config.LogDirs[0]}, h.engine.Unmounted)
	h.engine.FailAppend = nil
}
