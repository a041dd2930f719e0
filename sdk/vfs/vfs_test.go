package vfs_test

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/vfs"
)

// bothSystems runs a test on the operating system's files and on those in memory.
func bothSystems(t *testing.T, test func(t *testing.T, files vfs.FS, root string)) {
	t.Run("os", func(t *testing.T) { test(t, vfs.OS(), t.TempDir()) })
	t.Run("mem", func(t *testing.T) {
		files := vfs.NewMem()
		require.NoError(t, files.MkdirAll("/data", 0o755))
		test(t, files, "/data")
	})
}

func write(t *testing.T, files vfs.FS, name, content string, sync bool) {
	t.Helper()
	f, err := files.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o644)
	require.NoError(t, err)
	_, err = f.WriteAt([]byte(content), 0)
	require.NoError(t, err)
	if sync {
		require.NoError(t, f.Sync())
	}
	require.NoError(t, f.Close())
}

func read(t *testing.T, files vfs.FS, name string) string {
	t.Helper()
	f, err := files.OpenFile(name, os.O_RDONLY, 0)
	require.NoError(t, err)
	defer func() { require.NoError(t, f.Close()) }()
	size, err := f.Size()
	require.NoError(t, err)
	content := make([]byte, size)
	_, err = io.ReadFull(io.NewSectionReader(f, 0, size), content)
	require.NoError(t, err)
	return string(content)
}

func TestFilesAndFolders(t *testing.T) {
	bothSystems(t, func(t *testing.T, files vfs.FS, root string) {
		dir := filepath.Join(root, "a", "b")
		require.NoError(t, files.MkdirAll(dir, 0o755))
		name := filepath.Join(dir, "file")
		_, err := files.OpenFile(name, os.O_RDWR, 0)
		require.ErrorIs(t, err, fs.ErrNotExist)
		write(t, files, name, "hello", true)
		_, err = files.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o644)
		require.ErrorIs(t, err, fs.ErrExist)
		require.Equal(t, "hello", read(t, files, name))

		write(t, files, name+"2", "other", false)
		require.NoError(t, files.Rename(name+"2", name))
		require.Equal(t, "other", read(t, files, name))
		entries, err := files.ReadDir(dir)
		require.NoError(t, err)
		require.Len(t, entries, 1)
		require.Equal(t, "file", entries[0].Name())
		info, err := files.Stat(name)
		require.NoError(t, err)
		require.EqualValues(t, 5, info.Size())
		require.NoError(t, files.SyncDir(dir))

		require.Error(t, files.Remove(dir), "the folder is not empty")
		require.NoError(t, files.RemoveAll(filepath.Join(root, "a")))
		require.NoError(t, files.RemoveAll(filepath.Join(root, "a")))
		_, err = files.Stat(dir)
		require.ErrorIs(t, err, fs.ErrNotExist)
		require.ErrorIs(t, files.Remove(name), fs.ErrNotExist)
		require.ErrorIs(t, files.Rename(name, name+"3"), fs.ErrNotExist)
	})
}

func TestReadWriteTruncateAtPositions(t *testing.T) {
	bothSystems(t, func(t *testing.T, files vfs.FS, root string) {
		f, err := files.OpenFile(filepath.Join(root, "f"), os.O_RDWR|os.O_CREATE, 0o644)
		require.NoError(t, err)
		_, err = f.WriteAt([]byte("xyz"), 3)
		require.NoError(t, err)
		require.NoError(t, f.Truncate(4))
		require.NoError(t, f.Truncate(6))
		got := make([]byte, 8)
		n, err := f.ReadAt(got, 0)
		require.ErrorIs(t, err, io.EOF)
		require.Equal(t, "\x00\x00\x00x\x00\x00", string(got[:n]), "a cut comes back as zeros")
		require.NoError(t, f.Close())
		_, err = f.ReadAt(got, 0)
		require.ErrorIs(t, err, fs.ErrClosed)
	})
}

func TestLockIsExclusiveAndGivenBack(t *testing.T) {
	bothSystems(t, func(t *testing.T, files vfs.FS, root string) {
		name := filepath.Join(root, ".lock")
		held, err := files.Lock(name)
		require.NoError(t, err)
		_, err = files.Lock(name)
		require.ErrorIs(t, err, vfs.ErrLocked)
		require.NoError(t, held.Close())
		held, err = files.Lock(name)
		require.NoError(t, err)
		require.NoError(t, held.Close())
	})
}

func TestCrashKeepsExactlyWhatWasSynced(t *testing.T) {
	m := vfs.NewMem()
	require.NoError(t, m.MkdirAll("/d", 0o755))
	require.NoError(t, m.SyncDir("/"))
	write(t, m, "/d/synced", "old", true)
	require.NoError(t, m.SyncDir("/d"))
	write(t, m, "/d/unnamed", "content is synced, the name is not", true)
	f, err := m.OpenFile("/d/synced", os.O_RDWR, 0)
	require.NoError(t, err)
	_, err = f.WriteAt([]byte("new"), 0)
	require.NoError(t, err)

	cut := m.CrashClone(vfs.KeepNone, 1)
	require.Equal(t, "old", read(t, cut, "/d/synced"))
	_, err = cut.Stat("/d/unnamed")
	require.ErrorIs(t, err, fs.ErrNotExist)

	killed := m.CrashClone(vfs.KeepAll, 1)
	require.Equal(t, "new", read(t, killed, "/d/synced"))
	require.NoError(t, f.Sync())
	require.NoError(t, m.SyncDir("/d"))
	cut = m.CrashClone(vfs.KeepNone, 1)
	require.Equal(t, "new", read(t, cut, "/d/synced"))
	require.Contains(t, read(t, cut, "/d/unnamed"), "synced")
}

func TestRenameIsOneChange(t *testing.T) {
	m := vfs.NewMem()
	write(t, m, "/f", "one", true)
	require.NoError(t, m.SyncDir("/"))
	write(t, m, "/f.tmp", "two", true)
	require.NoError(t, m.Rename("/f.tmp", "/f"))
	seen := map[string]bool{}
	for seed := range uint64(64) {
		for _, how := range []vfs.Persistence{vfs.KeepNone, vfs.KeepPrefix, vfs.KeepSubset} {
			seen[read(t, m.CrashClone(how, seed), "/f")] = true
		}
	}
	require.Equal(t, map[string]bool{"one": true, "two": true}, seen)
}

func TestCrashModelsOnAppends(t *testing.T) {
	m := vfs.NewMem()
	f, err := m.OpenFile("/log", os.O_RDWR|os.O_CREATE, 0o644)
	require.NoError(t, err)
	require.NoError(t, m.SyncDir("/"))
	var whole []byte
	for i := range 8 {
		piece := bytes.Repeat([]byte{byte('a' + i)}, 300)
		_, err = f.WriteAt(piece, int64(len(whole)))
		require.NoError(t, err)
		whole = append(whole, piece...)
	}
	holes, torn := false, false
	for seed := range uint64(200) {
		prefix := read(t, m.CrashClone(vfs.KeepPrefix, seed), "/log")
		require.True(t, bytes.HasPrefix(whole, []byte(prefix)))
		torn = torn || len(prefix)%300 != 0
		subset := read(t, m.CrashClone(vfs.KeepSubset, seed), "/log")
		require.Equal(t, subset, read(t, m.CrashClone(vfs.KeepSubset, seed), "/log"), "a seed repeats")
		for i := range subset {
			if subset[i] != whole[i] {
				require.Zero(t, subset[i], "what is missing reads as zero")
				holes = true
			}
		}
	}
	require.True(t, torn, "no seed tore a write")
	require.True(t, holes, "no seed left a hole")
}

func TestInjectedFaults(t *testing.T) {
	boom := errors.New("boom")
	files := vfs.WithFaults(vfs.NewMem(), vfs.FailNth(vfs.OpSync, "log", 2, boom))
	f, err := files.OpenFile("/log", os.O_RDWR|os.O_CREATE, 0o644)
	require.NoError(t, err)
	require.NoError(t, f.Sync())
	require.ErrorIs(t, f.Sync(), boom)
	require.NoError(t, f.Sync())
}

func TestFullDiskWritesAsFarAsThereIsRoom(t *testing.T) {
	space := vfs.NewSpace(5)
	files := vfs.WithFaults(vfs.NewMem(), space.Inject)
	f, err := files.OpenFile("/log", os.O_RDWR|os.O_CREATE, 0o644)
	require.NoError(t, err)
	n, err := f.WriteAt([]byte("12345678"), 0)
	require.ErrorIs(t, err, syscall.ENOSPC)
	require.Equal(t, 5, n)
	space.Set(100)
	_, err = f.WriteAt([]byte("12345678"), 0)
	require.NoError(t, err)
}
