package segment

import (
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/clock"
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/storage"
	"odradek.dev/sdk/vfs"
)

// counted counts the operations of each kind, by what their path ends in.
type counted struct {
	vfs.FS
	syncs, together, checkpoints atomic.Int64
	// refuse is what SyncAll fails with.
	refuse error
}

func count(base vfs.FS) *counted {
	c := &counted{}
	c.FS = vfs.WithFaults(base, func(op vfs.Op) error {
		switch {
		case op.Kind == vfs.OpSync || op.Kind == vfs.OpSyncDir:
			c.syncs.Add(1)
		case op.Kind == vfs.OpSyncAll:
			c.together.Add(1)
			return c.refuse
		case op.Kind == vfs.OpRename && strings.Contains(op.Path, recoveryPointsFile):
			c.checkpoints.Add(1)
		}
		return nil
	})
	return c
}

func (c *counted) reset() {
	c.syncs.Store(0)
	c.together.Store(0)
	c.checkpoints.Store(0)
}

const manyLogs = 2 * syncedTogether

func numbered(n int) storage.ID {
	return storage.ID{Topic: "many", TopicID: [16]byte{9}, Partition: int32(n)}
}

// startMany opens many logs beside the one that start opens.
func startMany(t *testing.T, files vfs.FS) (*opened, []storage.Log) {
	o := start(t, files, small())
	logs := make([]storage.Log, manyLogs)
	for n := range logs {
		var err error
		logs[n], _, err = o.engine.Open(t.Context(), storage.Open{Dir: "/data", ID: numbered(n), Config: small()})
		require.NoError(t, err)
	}
	return o, logs
}

// Logs that never had a batch are created again after a crash.
func TestAStopSyncsNothingForLogsWithoutBatches(t *testing.T) {
	disk := vfs.NewMem()
	files := count(disk)
	o, _ := startMany(t, files)
	files.reset()
	o.stop()
	require.LessOrEqual(t, files.syncs.Load(), int64(8), "the checkpoints and the note of the clean stop")
	require.Zero(t, files.together.Load())

	o, logs := startMany(t, disk.CrashClone(vfs.KeepNone, 1))
	require.True(t, o.mounted.Clean)
	b, err := logs[7].Bounds(t.Context())
	require.NoError(t, err)
	require.Zero(t, b)
	o.stop()
}

func TestAStopOfManyLogsSyncsThemTogether(t *testing.T) {
	for name, refuse := range map[string]error{"together": nil, "where that cannot be had": errors.ErrUnsupported, "when it fails": syscall.EIO} {
		t.Run(name, func(t *testing.T) {
			disk := vfs.NewMem()
			require.NoError(t, disk.MkdirAll("/data", 0o755))
			require.NoError(t, disk.SyncDir("/"))
			files := count(disk)
			files.refuse = refuse
			o, logs := startMany(t, files)
			for n, log := range logs {
				_, err := log.Append(t.Context(), storage.Append{Batches: batchFor(0, int32(n%5), 3)})
				require.NoError(t, err)
				require.NoError(t, log.SaveState(t.Context(), 3, []byte("state")))
			}
			files.reset()
			o.stop()
			if refuse == nil {
				require.LessOrEqual(t, files.syncs.Load(), int64(8))
				require.EqualValues(t, 2, files.together.Load())
			}

			o, logs = startMany(t, disk.CrashClone(vfs.KeepNone, 1))
			require.True(t, o.mounted.Clean)
			for n, log := range logs {
				b, err := log.Bounds(t.Context())
				require.NoError(t, err)
				require.EqualValues(t, 3, b.End)
				epochs, err := log.Epochs(t.Context())
				require.NoError(t, err)
				require.Equal(t, []storage.EpochStart{{Epoch: int32(n % 5), Start: 0}}, epochs)
				_, state, ok, err := log.LoadState(t.Context(), 3)
				require.NoError(t, err)
				require.True(t, ok)
				require.Equal(t, "state", string(state))
			}
			o.stop()
		})
	}
}

// Wherever the power is cut in such a stop, the note of a clean one is there
// only if all else is.
func TestPowerCutWhileManyLogsAreClosed(t *testing.T) {
	disk := vfs.NewMem()
	require.NoError(t, disk.MkdirAll("/data", 0o755))
	require.NoError(t, disk.SyncDir("/"))
	var mu sync.Mutex
	stopping, step := false, 0
	files := vfs.WithFaults(disk, func(op vfs.Op) error {
		notable := op.Kind == vfs.OpSyncAll || op.Kind == vfs.OpRename && !strings.Contains(op.Path, "many-") || strings.Contains(op.Path, "many-0/")
		mu.Lock()
		defer mu.Unlock()
		if !stopping || !notable {
			return nil
		}
		step++
		for _, how := range powerCuts {
			mustBeWholeOrUnclean(t, disk.CrashClone(how, uint64(step)), op)
		}
		return nil
	})
	o, logs := startMany(t, files)
	for _, log := range logs {
		_, err := log.Append(t.Context(), storage.Append{Batches: batchFor(0, 4, 3)})
		require.NoError(t, err)
	}
	mu.Lock()
	stopping = true
	mu.Unlock()
	o.stop()
	require.Greater(t, step, 5)
}

// mustBeWholeOrUnclean looks at one of the logs. It may be called from any
// goroutine.
func mustBeWholeOrUnclean(t *testing.T, files vfs.FS, op vfs.Op) {
	e := newEngine(module.Env{Clock: clock.NewFake(time.UnixMilli(1)), FS: files, Node: 1}, Defaults())
	mounted, err := e.Mount(t.Context(), storage.Mount{Dir: "/data", ClusterID: "c", Node: 1})
	if !assert.NoError(t, err) {
		return
	}
	log, _, err := e.Open(t.Context(), storage.Open{Dir: "/data", ID: numbered(0), Config: small()})
	if !assert.NoError(t, err) {
		return
	}
	b, err := log.Bounds(t.Context())
	assert.NoError(t, err)
	epochs, err := log.Epochs(t.Context())
	assert.NoError(t, err)
	if b.End == 3 {
		assert.Equal(t, []storage.EpochStart{{Epoch: 4, Start: 0}}, epochs)
		return
	}
	assert.Zero(t, b.End)
	assert.True(t, !mounted.Clean || len(mounted.Logs) == 0, "a clean stop without its batches, after %+v", op)
}

// The removal of a log costs the same however many there are, and what the
// checkpoints know of it does not pass to another of its name.
func TestRemovedLogsAreForgottenTogether(t *testing.T) {
	disk := vfs.NewMem()
	files := count(disk)
	o, logs := startMany(t, files)
	for _, log := range logs {
		_, err := log.Append(t.Context(), storage.Append{Batches: batchFor(0, 0, 3)})
		require.NoError(t, err)
		_, err = log.Sync(t.Context())
		require.NoError(t, err)
	}
	o.clock.Advance(2 * time.Minute)
	require.Eventually(t, func() bool { return files.checkpoints.Load() > 0 }, time.Minute, time.Millisecond)
	files.reset()
	for n, log := range logs {
		require.NoError(t, log.Close(t.Context()))
		require.NoError(t, o.engine.Remove(t.Context(), "/data", numbered(n)))
	}
	require.Zero(t, files.checkpoints.Load())
	for n := range logs {
		_, _, err := o.engine.Open(t.Context(), storage.Open{Dir: "/data", ID: numbered(n), Config: small()})
		require.NoError(t, err)
	}
	require.EqualValues(t, 1, files.checkpoints.Load())

	o = start(t, disk.CrashClone(vfs.KeepAll, 1), small())
	log, _, err := o.engine.Open(t.Context(), storage.Open{Dir: "/data", ID: numbered(3), Config: small()})
	require.NoError(t, err)
	b, err := log.Bounds(t.Context())
	require.NoError(t, err)
	require.Zero(t, b.End)
	o.stop()
}

// A promise outlasts a crash also in a log that was just created.
func TestAHardStateBringsItsFolderAlong(t *testing.T) {
	disk := vfs.NewMem()
	require.NoError(t, disk.MkdirAll("/data", 0o755))
	require.NoError(t, disk.SyncDir("/"))
	o := start(t, disk, small())
	require.NoError(t, o.log.SaveHard(t.Context(), []byte("vote")))
	o = start(t, disk.CrashClone(vfs.KeepNone, 1), small())
	hard, err := o.log.LoadHard(t.Context())
	require.NoError(t, err)
	require.Equal(t, "vote", string(hard))
	o.stop()
}

// What stands at its offsets after a crash is not what it knows.
func TestAStateAboveTheEndIsDropped(t *testing.T) {
	disk := vfs.NewMem()
	require.NoError(t, disk.MkdirAll("/data", 0o755))
	require.NoError(t, disk.SyncDir("/"))
	o := start(t, disk, small())
	o.append(0, 3)
	_, err := o.log.Sync(t.Context())
	require.NoError(t, err)
	o.append(0, 3)
	require.NoError(t, o.log.SaveState(t.Context(), 6, []byte("of batches that are lost")))
	require.NoError(t, disk.SyncDir("/data/orders-0"))
	o = start(t, disk.CrashClone(vfs.KeepNone, 1), small())
	require.EqualValues(t, 3, o.bounds().End)
	o.append(1, 9)
	_, _, ok, err := o.log.LoadState(t.Context(), o.bounds().End)
	require.NoError(t, err)
	require.False(t, ok)
	o.stop()
}
