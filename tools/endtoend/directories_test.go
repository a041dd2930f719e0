package endtoend

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	"odradek.dev/sdk/vfs"
)

// failingDisks has the disks of the directories whose names are in it fail.
type failingDisks struct{ names atomic.Pointer[[]string] }

func (f *failingDisks) fail(names ...string) { f.names.Store(&names) }

func (f *failingDisks) inject(op vfs.Op) error {
	if op.Kind == vfs.OpRead || op.Kind == vfs.OpStat || op.Kind == vfs.OpReadDir {
		return nil
	}
	if names := f.names.Load(); names != nil {
		for _, name := range *names {
			if strings.Contains(op.Path, name) {
				return syscall.EIO
			}
		}
	}
	return nil
}

func dirsOf(t *testing.T, client *kgo.Client) kadm.DescribedLogDirs {
	t.Helper()
	all, err := kadm.NewClient(client).DescribeAllLogDirs(t.Context(), nil)
	require.NoError(t, err)
	require.Len(t, all, 1)
	for _, dirs := range all {
		return dirs
	}
	return nil
}

func TestADiskThatFailsTakesItsPartitionsAndNoOthers(t *testing.T) {
	root := t.TempDir()
	disks := &failingDisks{}
	b := startOn(t, segmentOn(vfs.WithFaults(vfs.OS(), disks.inject), false),
		fmt.Sprintf("log.dirs=%[1]s/one,%[1]s/two,%[1]s/three", root), "metadata.log.dir="+filepath.Join(root, "metadata"))
	orders := newTopic(t, b.addr(), "orders", 6, nil)
	for p := range int32(6) {
		code, _ := orders.produce(p, "before")
		require.Zero(t, code)
	}
	bad := filepath.Join(root, "two")
	onBad := map[int32]bool{}
	dirsOf(t, orders.client)[bad].Topics.Each(func(p kadm.DescribedLogDirPartition) { onBad[p.Partition] = true })
	require.Len(t, onBad, 2)

	disks.fail("/two")
	var first int32
	for p := range onBad {
		first = p
	}
	code, _ := orders.produce(first, "lost")
	require.Equal(t, kerr.KafkaStorageError.Code, code)
	for p := range int32(6) {
		want := int16(0)
		if onBad[p] {
			want = kerr.KafkaStorageError.Code
		}
		require.Eventually(t, func() bool {
			code, _ := orders.fetch(p, 0)
			return code == want
		}, time.Minute, time.Millisecond)
		code, _ := orders.produce(p, "after")
		require.Equal(t, want, code)
	}
	dirs := dirsOf(t, orders.client)
	require.Len(t, dirs, 3)
	for path, dir := range dirs {
		if path == bad {
			require.ErrorIs(t, dir.Err, kerr.KafkaStorageError)
			require.Empty(t, dir.Topics)
			continue
		}
		require.NoError(t, dir.Err)
		require.Len(t, dir.Topics["orders"], 2)
	}
	require.Contains(t, metricsOf(t, b.AdminAddr()), "odradek_log_directories_offline 1\n")
	words := newTopic(t, b.addr(), "words", 4, nil)
	for p := range int32(4) {
		code, _ := words.produce(p, "on a healthy disk")
		require.Zero(t, code)
	}

	disks.fail("/one", "/two", "/three")
	for p := range int32(4) {
		_, _ = words.client.SeedBrokers()[0].Request(t.Context(), words.produceRequest(p, "lost"))
	}
	select {
	case <-b.ended:
		require.ErrorContains(t, b.result, "no directory is left to serve from")
	case <-time.After(time.Minute):
		t.Fatal("a broker without a disk goes on")
	}
}

// TestADirectoryThatVanishesGoesOffline removes a directory under a broker whose
// files in it are open, so that writes to them succeed.
func TestADirectoryThatVanishesGoesOffline(t *testing.T) {
	other := filepath.Join(t.TempDir(), "other")
	b := startBroker(t, "-X", "replica.high.watermark.checkpoint.interval.ms=50")
	b.Args = append(b.Args, "-X", "log.dirs="+b.DataDir+","+other)
	require.NoError(t, b.Stop())
	require.NoError(t, b.Start(t.Context()))
	orders := newTopic(t, b.Addr, "orders", 2, nil)
	for p := range int32(2) {
		code, _ := orders.produce(p, "before")
		require.Zero(t, code)
	}
	require.NoError(t, os.RemoveAll(other))
	offline := map[int32]bool{}
	require.Eventually(t, func() bool {
		for p := range int32(2) {
			if code, _ := orders.produce(p, "more"); code != 0 {
				require.Equal(t, kerr.KafkaStorageError.Code, code)
				offline[p] = true
			}
		}
		return len(offline) > 0
	}, time.Minute, 10*time.Millisecond)
	require.Len(t, offline, 1, "the partition of the other directory serves on")
	awaitLog(t, b, "log directory goes offline")
	require.Equal(t, 1, strings.Count(b.Log(), "log directory goes offline"), b.Log())
	dirs := dirsOf(t, orders.client)
	require.ErrorIs(t, dirs[other].Err, kerr.KafkaStorageError)
	require.NoError(t, dirs[b.DataDir].Err)
}

// TestAFullDiskRefusesAndRecovers has no room for a while: it is no failed one.
func TestAFullDiskRefusesAndRecovers(t *testing.T) {
	root := t.TempDir()
	space := vfs.NewSpace(1 << 40)
	b := startOn(t, segmentOn(vfs.WithFaults(vfs.OS(), space.Inject), false),
		"log.dirs="+filepath.Join(root, "data"), "metadata.log.dir="+filepath.Join(root, "metadata"),
		"replica.high.watermark.checkpoint.interval.ms=10")
	orders := newTopic(t, b.addr(), "orders", 1, nil)
	code, _ := orders.produce(0, "a")
	require.Zero(t, code)
	space.Set(10)
	for range 3 {
		code, _ = orders.produce(0, "refused")
		require.True(t, kerr.IsRetriable(kerr.ErrorForCode(code)), "code %d", code)
		require.Equal(t, []string{"a"}, orders.values(0), "what is there is served")
	}
	require.Contains(t, metricsOf(t, b.AdminAddr()), "odradek_log_directories_offline 0\n")
	require.Contains(t, metricsOf(t, b.AdminAddr()), "odradek_partitions_offline 0\n")

	client, err := kgo.NewClient(kgo.SeedBrokers(b.addr()), kgo.DefaultProduceTopic("orders"))
	require.NoError(t, err)
	defer client.Close()
	acknowledged := make(chan error, 1)
	client.Produce(t.Context(), kgo.StringRecord("b"), func(_ *kgo.Record, err error) { acknowledged <- err })
	code, _ = orders.produce(0, "refused")
	require.NotZero(t, code)
	space.Set(1 << 40)
	require.NoError(t, <-acknowledged, "a client that tries again gets through")
	require.Equal(t, []string{"a", "b"}, orders.values(0))
	require.NoError(t, b.stop())
}
