package segment

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/storage"
	"odradek.dev/sdk/vfs"
)

var other = storage.ID{Topic: "words", TopicID: [16]byte{4}, Partition: 3}

func (o *opened) openOther() storage.Log {
	o.t.Helper()
	log, _, err := o.engine.Open(o.t.Context(), storage.Open{Dir: "/data", ID: other, Config: small()})
	require.NoError(o.t, err)
	return log
}

// TestAFailingDiskTakesTheDirectoryWithIt breaks each kind of operation on the
// files of one log, and expects the other log of the directory to be closed too.
func TestAFailingDiskTakesTheDirectoryWithIt(t *testing.T) {
	for name, test := range map[string]struct {
		kind vfs.OpKind
		do   func(o *opened) error
	}{
		"append": {vfs.OpWrite, func(o *opened) error {
			_, err := o.log.Append(t.Context(), storage.Append{Batches: batchFor(o.bounds().End, 0, 1)})
			return err
		}},
		"sync":  {vfs.OpSync, func(o *opened) error { _, err := o.log.Sync(t.Context()); return err }},
		"roll":  {vfs.OpOpen, func(o *opened) error { _, err := o.log.Roll(t.Context()); return err }},
		"state": {vfs.OpRename, func(o *opened) error { return o.log.SaveState(t.Context(), 3, []byte("s")) }},
		"hard":  {vfs.OpRename, func(o *opened) error { return o.log.SaveHard(t.Context(), []byte("s")) }},
		"epoch": {vfs.OpRename, func(o *opened) error { return o.log.BeginEpoch(t.Context(), 9) }},
		"trim":  {vfs.OpRename, func(o *opened) error { return o.log.Trim(t.Context(), 50) }},
		"cut":   {vfs.OpTruncate, func(o *opened) error { return o.log.Truncate(t.Context(), 57) }},
		"read": {vfs.OpRead, func(o *opened) error {
			_, err := o.log.Read(t.Context(), storage.Read{Before: 10, MaxBytes: 100})
			return err
		}},
		"find": {vfs.OpRead, func(o *opened) error { _, _, err := o.log.SeekTime(t.Context(), 1050, 60); return err }},
		"load": {vfs.OpReadDir, func(o *opened) error { _, _, _, err := o.log.LoadState(t.Context(), 60); return err }},
		"marks": {vfs.OpWrite, func(o *opened) error {
			return o.engine.SaveHighWatermarks(t.Context(), "/data", []storage.HighWatermark{{ID: topic, Offset: 3}})
		}},
	} {
		t.Run(name, func(t *testing.T) {
			var broken atomic.Bool
			disk := vfs.NewMem()
			o := start(t, vfs.WithFaults(disk, func(op vfs.Op) error {
				if broken.Load() && op.Kind == test.kind {
					return syscall.EIO
				}
				return nil
			}), small())
			for range 20 {
				o.append(0, 3)
			}
			sibling := o.openOther()
			broken.Store(true)
			err := test.do(o)
			require.ErrorIs(t, err, storage.ErrDirectoryFailed)
			require.ErrorContains(t, err, "/data: ")
			_, err = sibling.Append(t.Context(), storage.Append{Batches: batchFor(0, 0, 1)})
			require.ErrorIs(t, err, storage.ErrDirectoryFailed)
			_, _, err = o.engine.Open(t.Context(), storage.Open{Dir: "/data", ID: storage.ID{Topic: "new"}, Config: small()})
			require.ErrorIs(t, err, storage.ErrDirectoryFailed)

			before := names(t, disk)
			o.stop()
			require.Equal(t, before, names(t, disk), "it is let go without being written to")
			broken.Store(false)
			require.False(t, start(t, o.files, small()).mounted.Clean, "and can be mounted again")
		})
	}
}

func names(t *testing.T, disk *vfs.Mem) (all []string) {
	t.Helper()
	for _, dir := range []string{"/data", "/data/orders-0", "/data/words-3"} {
		entries, err := disk.ReadDir(dir)
		require.NoError(t, err)
		for _, e := range entries {
			all = append(all, dir+"/"+e.Name())
		}
	}
	return all
}

func TestARemovedFileIsNotAFailedDirectory(t *testing.T) {
	disk := vfs.NewMem()
	o := start(t, disk, small())
	o.append(0, 3)
	sibling := o.openOther()
	require.NoError(t, disk.RemoveAll("/data/orders-0"))
	_, err := o.log.Roll(t.Context())
	require.ErrorIs(t, err, storage.ErrClosed)
	_, err = sibling.Append(t.Context(), storage.Append{Batches: batchFor(0, 0, 1)})
	require.NoError(t, err)

	require.NoError(t, disk.RemoveAll("/data"))
	_, err = sibling.Roll(t.Context())
	require.ErrorIs(t, err, storage.ErrDirectoryFailed, "one that is not there any more is")
}

func TestWhatAFailedCallSpeaksOf(t *testing.T) {
	o := start(t, vfs.NewMem(), small())
	there := o.log.(*partitionLog).dir
	for what, errs := range map[blame][]error{
		ofDisk: {syscall.EIO, syscall.EROFS, syscall.ENODEV, syscall.ENXIO, syscall.ESTALE, syscall.EBADF},
		ofFile: {
			syscall.EACCES, syscall.EPERM, syscall.ENOENT, syscall.EISDIR, syscall.ENOTDIR, syscall.EEXIST, syscall.ENOTEMPTY,
			syscall.ELOOP, syscall.ENAMETOOLONG, syscall.EFBIG, fs.ErrNotExist, fs.ErrPermission,
		},
		ofRoom:    {syscall.ENOSPC, syscall.EDQUOT},
		ofProcess: {syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM},
		ofCall:    {syscall.EINTR, fs.ErrClosed},
	} {
		for _, cause := range errs {
			for _, err := range []error{
				&fs.PathError{Op: "open", Path: "x", Err: cause}, &os.LinkError{Op: "rename", Err: cause}, fmt.Errorf("x: %w", &fs.PathError{Err: cause}),
			} {
				require.Equal(t, what, blameOf(err), "%v", cause)
				fresh := &directory{files: there.files, path: there.path}
				require.Equal(t, what == ofDisk, errors.Is(fresh.diskError(err), storage.ErrDirectoryFailed), "%v", cause)
				gone := &directory{files: there.files, path: "/gone"}
				require.Equal(t, what == ofDisk || what == ofFile, errors.Is(gone.diskError(err), storage.ErrDirectoryFailed), "%v", cause)
			}
		}
	}
	require.Equal(t, ofDisk, blameOf(errors.Join(syscall.ENOSPC, syscall.EIO)), "the worst is told")
	require.NotErrorIs(t, there.diskError(storage.ErrCorrupt.With("x")), storage.ErrDirectoryFailed)
	require.NoError(t, there.diskError(nil))
}

func TestHighWatermarksAreKeptBesideOneAnother(t *testing.T) {
	disk := vfs.NewMem()
	o := start(t, disk, small())
	o.openOther()
	save := func(marks ...storage.HighWatermark) string {
		require.NoError(t, o.engine.SaveHighWatermarks(t.Context(), "/data", marks))
		content, _, err := readFile(disk.CrashClone(vfs.KeepNone, 1), "/data/"+watermarksFile)
		require.NoError(t, err)
		return string(content)
	}
	require.Equal(t, "0\n1\norders 0 7\n", save(storage.HighWatermark{ID: topic, Offset: 7}))
	require.Equal(t, "0\n2\norders 0 7\nwords 3 0\n", save(
		storage.HighWatermark{ID: other},
		storage.HighWatermark{ID: storage.ID{Topic: "orders", TopicID: [16]byte{9}}, Offset: 99},
		storage.HighWatermark{ID: storage.ID{Topic: "none"}, Offset: 1},
	), "of an earlier topic, or of none, nothing is kept")
	o.stop()
	o = start(t, disk, small())
	require.Equal(t, "0\n2\norders 0 7\nwords 3 5\n", save(storage.HighWatermark{ID: other, Offset: 5}), "a start keeps what was there")
	require.NoError(t, o.engine.Remove(t.Context(), "/data", other))
	require.Equal(t, "0\n1\norders 0 8\n", save(storage.HighWatermark{ID: topic, Offset: 8}))
}

func TestProducerStatesDoNotPileUp(t *testing.T) {
	disk := vfs.NewMem()
	o := start(t, disk, small())
	states := func() (all []int64) {
		entries, err := disk.ReadDir("/data/orders-0")
		require.NoError(t, err)
		for _, e := range entries {
			if at, ok := parseOffsetName(e.Name(), snapshotSuffix); ok {
				all = append(all, at)
			}
		}
		return all
	}
	save := func() {
		require.NoError(t, o.log.SaveState(t.Context(), o.bounds().End, []byte(strings.Repeat("s", 8))))
	}
	bases := []int64{}
	for range 60 {
		rolled, err := o.log.Append(t.Context(), storage.Append{Batches: batchFor(o.bounds().End, 0, 3)})
		require.NoError(t, err)
		if rolled.Rolled >= 0 {
			require.NoError(t, o.log.SaveState(t.Context(), rolled.Rolled, []byte("base")))
			bases = append(bases, rolled.Rolled)
		}
		save()
	}
	require.Greater(t, len(states()), 50, "a state that is not durable does not take the place of one that may be")
	_, err := o.log.Sync(t.Context())
	require.NoError(t, err)
	require.Equal(t, append(bases, 180), states(), "those at the segments, and the newest")
	for range 3 {
		o.append(0, 1)
		save()
		o.stop()
		o = start(t, disk, small())
	}
	require.Equal(t, append(bases, 183), states())
}

func TestALogDirectoryThatIsGoneIsNotMadeAgain(t *testing.T) {
	disk := vfs.NewMem()
	o := start(t, disk, small())
	require.NoError(t, disk.RemoveAll("/data"))

	_, _, err := o.engine.Open(t.Context(), storage.Open{Dir: "/data", ID: other, Config: small()})

	require.ErrorIs(t, err, storage.ErrDirectoryFailed)
	_, err = disk.Stat("/data")
	require.ErrorIs(t, err, fs.ErrNotExist)
}
