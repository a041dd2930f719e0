package segment_test

import (
	"context"
	"io/fs"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/plugins/storage/segment"
	"odradek.dev/sdk/clock"
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/storage"
	"odradek.dev/sdk/storage/storagetest"
	"odradek.dev/sdk/vfs"
)

func TestConformance(t *testing.T) {
	storagetest.Run(t, func(t *testing.T) storage.Engine { return build(t, vfs.OS(), nil) })
}

// TestConformanceWithFewOpenFiles has files opened and closed all the time. It
// leaves out the syncs, which the other run makes.
func TestConformanceWithFewOpenFiles(t *testing.T) {
	storagetest.Run(t, func(t *testing.T) storage.Engine {
		return build(t, unsyncedFS{vfs.OS()}, map[string]any{"max.open.files": 16})
	})
}

// unsyncedFS syncs nothing.
type unsyncedFS struct{ vfs.FS }

type unsyncedFile struct{ vfs.File }

func (unsyncedFS) SyncDir(string) error { return nil }

func (f unsyncedFS) OpenFile(name string, flag int, perm fs.FileMode) (vfs.File, error) {
	file, err := f.FS.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return unsyncedFile{file}, nil
}

func (unsyncedFile) Sync() error { return nil }

func build(t *testing.T, files vfs.FS, settings map[string]any) storage.Engine {
	instance, err := segment.Factory().New(module.Env{Clock: clock.Real(), FS: files, Node: 3}, settings)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, module.Stop(context.Background(), instance)) })
	return instance.(storage.Engine)
}
