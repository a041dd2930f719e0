package vfs_test

import (
	"errors"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/vfs"
)

func TestSyncAllMakesEverythingDurable(t *testing.T) {
	bothSystems(t, func(t *testing.T, files vfs.FS, root string) {
		require.NoError(t, files.MkdirAll(root+"/a/b", 0o755))
		f, err := files.OpenFile(root+"/a/b/c", os.O_RDWR|os.O_CREATE, 0o644)
		require.NoError(t, err)
		_, err = f.WriteAt([]byte("x"), 0)
		require.NoError(t, err)
		require.NoError(t, f.Close())
		if err := files.SyncAll(root); !errors.Is(err, errors.ErrUnsupported) {
			require.NoError(t, err)
		}
		mem, ok := files.(*vfs.Mem)
		if !ok {
			return
		}
		info, err := mem.CrashClone(vfs.KeepNone, 1).Stat(root + "/a/b/c")
		require.NoError(t, err)
		require.EqualValues(t, 1, info.Size())
	})
}
