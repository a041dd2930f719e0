package segment

import (
	"errors"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/module"
	"odradek.dev/sdk/storage"
	"odradek.dev/sdk/vfs"
)

// TestDiskFullAtEveryByte fails an append after each number of bytes that
// there can be room for.
func TestDiskFullAtEveryByte(t *testing.T) {
	size := len(batchFor(0, 0, 2))
	for room := range size {
		space := vfs.NewSpace(1 << 30)
		disk := vfs.NewMem()
		o := start(t, vfs.WithFaults(disk, space.Inject), small())
		want := []byte(o.append(0, 3))
		before := o.bounds()
		space.Set(int64(room))
		next := batchFor(before.End, 0, 2)
		for range 2 {
			_, err := o.log.Append(t.Context(), storage.Append{Batches: next})
			require.ErrorIs(t, err, storage.ErrFull)
			require.Equal(t, module.Retriable, module.ClassOf(err))
			require.Equal(t, before, o.bounds())
			require.Equal(t, want, o.content(0), "reads go on")
		}
		killed := start(t, disk.CrashClone(vfs.KeepAll, 1), small())
		require.Zero(t, killed.recovery.TruncatedBytes, "nothing of the failed append is left")
		space.Set(1 << 30)
		want = append(want, o.append(0, 2)...)
		require.Equal(t, want, o.content(0))
		o.stop()
	}
}

// TestDiskFullAnywhere lets a whole script run out of room at many points: a
// roll, a new epoch, an index.
func TestDiskFullAnywhere(t *testing.T) {
	for room := int64(0); room < 9000; room += 97 {
		space := vfs.NewSpace(1 << 30)
		o := start(t, vfs.WithFaults(vfs.NewMem(), space.Inject), small())
		space.Set(room)
		var want []byte
		full := 0
		for i := 0; i < 40; i++ {
			b := batchFor(o.bounds().End, int32(i/7), 1+i%4)
			_, err := o.log.Append(t.Context(), storage.Append{Batches: b})
			if errors.Is(err, storage.ErrFull) {
				full++
				space.Set(1 << 30)
				_, err = o.log.Append(t.Context(), storage.Append{Batches: b})
			}
			require.NoError(t, err)
			want = append(want, b...)
		}
		require.LessOrEqual(t, full, 1)
		space.Set(1 << 30)
		require.Equal(t, want, o.content(0))
		o.stop()
		o = start(t, o.files, small())
		require.Equal(t, want, o.content(0))
	}
}

func TestFailedSyncClosesTheLogForGood(t *testing.T) {
	disk := vfs.NewMem()
	o := start(t, vfs.WithFaults(disk, vfs.FailNth(vfs.OpSync, logSuffix, 1, syscall.EIO)), small())
	want := []byte(o.append(0, 3))
	_, err := o.log.Sync(t.Context())
	require.ErrorIs(t, err, storage.ErrDirectoryFailed)
	require.Equal(t, module.Fatal, module.ClassOf(err))
	_, err = o.log.Sync(t.Context())
	require.ErrorIs(t, err, storage.ErrDirectoryFailed, "the second sync would succeed, and is not made")
	_, err = o.log.Append(t.Context(), storage.Append{Batches: batchFor(3, 0, 1)})
	require.ErrorIs(t, err, storage.ErrDirectoryFailed)
	require.Equal(t, want, o.content(0), "reads go on")
	require.Error(t, o.log.Close(t.Context()))
	_, _, err = o.engine.Open(t.Context(), storage.Open{Dir: "/data", ID: topic, Config: small()})
	require.ErrorIs(t, err, storage.ErrDirectoryFailed)
	require.NoError(t, o.engine.Unmount(t.Context(), "/data"))
	require.False(t, start(t, disk, small()).mounted.Clean, "the stop was not a clean one")
}

func TestFailedWriteClosesTheLogUntilItsDirectoryIsMountedAgain(t *testing.T) {
	disk := vfs.NewMem()
	o := start(t, vfs.WithFaults(disk, vfs.FailNth(vfs.OpWrite, logSuffix, 2, &vfs.ShortWrite{Written: 70, Err: syscall.EIO})), small())
	want := []byte(o.append(0, 3))
	_, err := o.log.Append(t.Context(), storage.Append{Batches: batchFor(3, 0, 2)})
	require.ErrorIs(t, err, storage.ErrDirectoryFailed)
	require.Error(t, o.log.Close(t.Context()))
	o.stop()
	o = start(t, o.files, small())
	require.EqualValues(t, 70, o.recovery.TruncatedBytes)
	want = append(want, o.append(0, 2)...)
	require.Equal(t, want, o.content(0))
}

func TestSyncsShareTheirWork(t *testing.T) {
	disk := vfs.NewMem()
	var syncs atomic.Int64
	entered, leave := make(chan struct{}), make(chan struct{})
	o := start(t, vfs.WithFaults(disk, func(op vfs.Op) error {
		if op.Kind == vfs.OpSync && strings.HasSuffix(op.Path, logSuffix) {
			if syncs.Add(1) == 1 {
				close(entered)
				<-leave
			}
		}
		return nil
	}), small())
	o.append(0, 1)
	answers := make(chan int64)
	sync := func() {
		durable, err := o.log.Sync(t.Context())
		if err != nil {
			durable = -1
		}
		answers <- durable
	}
	go sync()
	<-entered
	o.append(0, 1)
	const waiting = 20
	for range waiting {
		go sync()
	}
	close(leave)
	for range waiting + 1 {
		require.GreaterOrEqual(t, <-answers, int64(1))
	}
	require.EqualValues(t, 2, o.bounds().Durable)
	require.LessOrEqual(t, syncs.Load(), int64(3))
}

func TestRemovedSegmentsStayForTheDelay(t *testing.T) {
	disk := vfs.NewMem()
	o := start(t, disk, small())
	for range 30 {
		o.append(0, 3)
	}
	count := func() (deleted int) {
		entries, err := disk.ReadDir("/data/orders-0")
		require.NoError(t, err)
		for _, e := range entries {
			if strings.HasSuffix(e.Name(), deletedSuffix) {
				deleted++
			}
		}
		return deleted
	}
	require.NoError(t, o.log.Trim(t.Context(), 60))
	require.Positive(t, count())
	o.clock.Advance(999 * time.Millisecond)
	require.Positive(t, count())
	o.clock.Advance(time.Millisecond)
	require.Zero(t, count())
	for range 20 {
		o.append(0, 3)
	}
	require.NoError(t, o.log.Trim(t.Context(), 140))
	o.stop()
	require.Positive(t, count(), "the delay is not over")
	start(t, disk, small())
	require.Zero(t, count(), "opening removes what the stop left")
}

func TestRecoveryPointsAreWrittenOnceAfterASync(t *testing.T) {
	disk := vfs.NewMem()
	o := start(t, disk, small())
	o.append(0, 5)
	o.clock.Advance(time.Hour)
	_, err := disk.Stat("/data/" + recoveryPointsFile)
	require.ErrorIs(t, err, os.ErrNotExist, "nothing ticks")
	_, err = o.log.Sync(t.Context())
	require.NoError(t, err)
	o.append(0, 5)
	o.clock.Advance(time.Minute)
	content, _, err := readFile(disk, "/data/"+recoveryPointsFile)
	require.NoError(t, err)
	require.Equal(t, "0\n1\norders 0 5\n", string(content))
	killed := start(t, disk.CrashClone(vfs.KeepAll, 1), small())
	require.EqualValues(t, 5, killed.bounds().Durable)
}

func TestFewDescriptorsForManyLogs(t *testing.T) {
	disk := vfs.NewMem()
	e := newEngine(module.Env{Clock: start(t, vfs.NewMem(), small()).clock, FS: disk}, Config{MaxOpenFiles: 16, CheckpointInterval: time.Minute})
	_, err := e.Mount(t.Context(), storage.Mount{Dir: "/data"})
	require.NoError(t, err)
	var logs []storage.Log
	for p := range int32(200) {
		log, _, err := e.Open(t.Context(), storage.Open{Dir: "/data", ID: storage.ID{Topic: "t", Partition: p}, Config: small()})
		require.NoError(t, err)
		logs = append(logs, log)
	}
	for round := range int64(3) {
		for _, log := range logs {
			_, err := log.Append(t.Context(), storage.Append{Batches: batchFor(round, 0, 1)})
			require.NoError(t, err)
			require.LessOrEqual(t, len(e.cache.open), 16)
		}
	}
	for _, log := range logs {
		chunk, err := log.Read(t.Context(), storage.Read{Before: 3, MaxBytes: 1 << 20})
		require.NoError(t, err)
		require.Len(t, bytesOf(t, disk, chunk), 3*len(batchFor(0, 0, 1)))
	}
	require.NoError(t, e.Unmount(t.Context(), "/data"))
	require.Empty(t, e.cache.open)
}
