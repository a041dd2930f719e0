package partition

import (
	"fmt"
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/storage"
	"odradek.dev/sdk/vfs"
)

func TestFilesAreKeptWithinWhatTheProcessMayHave(t *testing.T) {
	for limit, want := range map[uint64]int{
		0: mostFilesKept, 64: fewestFilesKept, 1000: 125, 1024: 128, 8192: mostFilesKept, 1 << 20: mostFilesKept, 1<<64 - 1: mostFilesKept,
	} {
		require.Equal(t, want, filesKept(limit), "limit %d", limit)
	}
	require.LessOrEqual(t, uint64(filesKept(vfs.DescriptorLimit())), max(vfs.DescriptorLimit()/8, fewestFilesKept))
}

// TestFilesAreGivenUpWhenDescriptorsRunOut takes all descriptors of the process
// but those of the files that are kept.
func TestFilesAreGivenUpWhenDescriptorsRunOut(t *testing.T) {
	dir, owner := t.TempDir(), &Partition{}
	file := func(i int) storage.File {
		return storage.File{ID: uint64(i), Path: fmt.Sprintf("%s/%d", dir, i)}
	}
	for i := range 9 {
		require.NoError(t, os.WriteFile(file(i).Path, []byte{byte(i)}, 0o600))
	}
	files := NewFiles(100)
	t.Cleanup(files.Close)
	lent, err := files.Acquire(owner, file(0))
	require.NoError(t, err)
	for i := 1; i < 8; i++ {
		f, err := files.Acquire(owner, file(i))
		require.NoError(t, err)
		f.Release()
	}
	giveBack := exhaust(t)
	more, err := files.Acquire(owner, file(8))
	kept := files.open.Len()
	giveBack()
	require.NoError(t, err)
	require.Equal(t, 5, kept)
	for _, f := range []*OpenFile{lent, more} {
		_, err := f.ReadAt(make([]byte, 1), 0)
		require.NoError(t, err)
		f.Release()
	}
}

// TestOthersYieldWhenNoFileIsKept has the storage engine hold the descriptors.
func TestOthersYieldWhenNoFileIsKept(t *testing.T) {
	path := t.TempDir() + "/0"
	require.NoError(t, os.WriteFile(path, []byte{1}, 0o600))
	files := NewFiles(100)
	t.Cleanup(files.Close)
	giveBack := exhaust(t)
	asked := 0
	left := 0
	files.yieldOthers = func(n, leave int) int {
		asked++
		require.Positive(t, n)
		require.Equal(t, left, leave)
		if asked == 2 {
			giveBack()
		}
		return 3 - asked
	}
	f, err := files.Acquire(&Partition{}, storage.File{ID: 1, Path: path})
	require.NoError(t, err)
	require.Equal(t, 2, asked)
	f.Release()
	for i := 2; i < 20; i++ {
		f, err := files.Acquire(&Partition{}, storage.File{ID: uint64(i), Path: path})
		require.NoError(t, err)
		f.Release()
	}
	require.Equal(t, 3, files.Yield(5), "its own first, but not the last")
	require.Equal(t, 2, asked)
	left = fewestFilesKept
	require.Zero(t, files.Yield(5))
	require.Equal(t, 3, asked)
}

// exhaust opens files until there is no descriptor left, under a limit that is
// quickly reached.
func exhaust(t *testing.T) (giveBack func()) {
	var before syscall.Rlimit
	require.NoError(t, syscall.Getrlimit(syscall.RLIMIT_NOFILE, &before))
	few := before
	few.Cur = min(few.Cur, 256)
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &few))
	var taken []*os.File
	for {
		f, err := os.Open(os.DevNull)
		if err != nil {
			require.True(t, noDescriptor(err), "%v", err)
			break
		}
		taken = append(taken, f)
	}
	return func() {
		for _, f := range taken {
			require.NoError(t, f.Close())
		}
		require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &before))
	}
}
