package segment

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/clock"
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/storage"
	"odradek.dev/sdk/vfs"
)

// forbidden is a file system in which one file may neither be read nor written,
// as long as it is that file.
type forbidden struct {
	*vfs.Mem
	path string
	gone *atomic.Bool
}

func (f forbidden) Remove(name string) error {
	f.gone.CompareAndSwap(false, name == f.path)
	return f.Mem.Remove(name)
}

func (f forbidden) OpenFile(name string, flag int, perm fs.FileMode) (vfs.File, error) {
	if name == f.path && !f.gone.Load() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: syscall.EACCES}
	}
	return f.Mem.OpenFile(name, flag, perm)
}

func (f forbidden) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := f.Mem.ReadDir(name)
	for i, e := range entries {
		if filepath.Join(name, e.Name()) == f.path && !f.gone.Load() {
			entries[i] = forbiddenEntry{e}
		}
	}
	return entries, err
}

type forbiddenEntry struct{ fs.DirEntry }

func (e forbiddenEntry) Info() (fs.FileInfo, error) {
	info, err := e.DirEntry.Info()
	return forbiddenInfo{info}, err
}

type forbiddenInfo struct{ fs.FileInfo }

func (forbiddenInfo) Mode() fs.FileMode { return 0 }

// spoilt makes a file of the log one that cannot be used, in each of the ways.
var spoilt = map[string]func(t *testing.T, disk *vfs.Mem, path string) vfs.FS{
	"no right to it": func(_ *testing.T, disk *vfs.Mem, path string) vfs.FS { return forbidden{disk, path, new(atomic.Bool)} },
	"a folder": func(t *testing.T, disk *vfs.Mem, path string) vfs.FS {
		require.NoError(t, disk.Remove(path))
		require.NoError(t, disk.MkdirAll(path, 0o755))
		return disk
	},
	"a folder with something in it": func(t *testing.T, disk *vfs.Mem, path string) vfs.FS {
		require.NoError(t, disk.Remove(path))
		require.NoError(t, disk.MkdirAll(filepath.Join(path, "mine"), 0o755))
		return disk
	},
}

// stopped is a disk with a log of several segments and producer states, and what
// the log holds.
func stopped(t *testing.T) (disk *vfs.Mem, names []string, content []byte) {
	disk = vfs.NewMem()
	o := start(t, disk, small())
	for range 20 {
		o.append(3, 3)
	}
	require.NoError(t, o.log.SaveState(t.Context(), o.bounds().End, []byte("state")))
	content = o.content(0)
	o.stop()
	entries, err := disk.ReadDir("/data/orders-0")
	require.NoError(t, err)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return disk, names, content
}

func TestAFileThatCannotBeUsedIsMadeAnewOrTakesItsLogAlone(t *testing.T) {
	for how, spoil := range spoilt {
		_, names, _ := stopped(t)
		require.Greater(t, len(names), 8, "several segments")
		for _, name := range names {
			t.Run(how+"/"+name, func(t *testing.T) {
				disk, _, want := stopped(t)
				path := "/data/orders-0/" + name
				o, log := told(t, spoil(t, disk, path))
				err := o.openAs(topic)
				if strings.HasSuffix(name, logSuffix) {
					require.ErrorContains(t, err, path)
					require.NotErrorIs(t, err, storage.ErrDirectoryFailed)
					o.openOther()
					return
				}
				require.NoError(t, err)
				require.Equal(t, want, o.content(0))
				require.Equal(t, []storage.EpochStart{{Epoch: 3}}, epochsOf(o))
				_, _, err = o.log.SeekTime(t.Context(), 0, 60)
				require.NoError(t, err)
				o.append(4, 3)
				require.NoError(t, o.log.SaveState(t.Context(), 60, []byte("state")))
				require.Contains(t, log.String(), name)
				o.stop()

				o, log = told(t, disk)
				require.Equal(t, []storage.ID{topic}, o.mounted.Logs, "its id too is there again")
				require.NoError(t, o.openAs(topic))
				require.NotContains(t, log.String(), "[WARN]")
				_, err = disk.Stat(path + unusableSuffix + "/mine")
				require.Equal(t, how == "a folder with something in it", err == nil, "what is somebody's is kept")
			})
		}
	}
}

func epochsOf(o *opened) []storage.EpochStart {
	epochs, err := o.log.Epochs(o.t.Context())
	require.NoError(o.t, err)
	return epochs
}

// TestACheckpointGivesWay is on a real disk: there no file can be renamed over a
// folder.
func TestACheckpointGivesWay(t *testing.T) {
	dir := t.TempDir()
	e := newEngine(module.Env{Clock: clock.Real(), FS: vfs.OS(), Node: 1}, Defaults())
	mount := func() {
		_, err := e.Mount(t.Context(), storage.Mount{Dir: dir, ClusterID: "c", Node: 1})
		require.NoError(t, err)
	}
	mount()
	_, _, err := e.Open(t.Context(), storage.Open{Dir: dir, ID: topic, Config: small()})
	require.NoError(t, err)
	for _, name := range []string{recoveryPointsFile, startOffsetsFile, watermarksFile, cleanerOffsetsFile} {
		require.NoError(t, os.RemoveAll(filepath.Join(dir, name)))
		require.NoError(t, os.MkdirAll(filepath.Join(dir, name, "mine"), 0o755))
	}
	require.NoError(t, e.SaveHighWatermarks(t.Context(), dir, []storage.HighWatermark{{ID: topic, Offset: 1}}))
	require.NoError(t, e.Unmount(t.Context(), dir))
	require.DirExists(t, filepath.Join(dir, recoveryPointsFile+unusableSuffix, "mine"))
	mount()
	require.NoError(t, e.Unmount(t.Context(), dir))
}
