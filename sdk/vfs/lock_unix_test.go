//go:build unix

package vfs_test

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/vfs"
)

// A child that was forked has a copy of each descriptor until its program begins,
// which may be after the lock was given back.
func TestALockThatIsGivenBackIsFreeWhoeverHasTheFileOpen(t *testing.T) {
	files, name := vfs.OS(), filepath.Join(t.TempDir(), ".lock")
	held, err := files.Lock(name)
	require.NoError(t, err)
	forked, err := syscall.Dup(int(held.(interface{ Fd() uintptr }).Fd()))
	require.NoError(t, err)
	require.NoError(t, held.Close())
	held, err = files.Lock(name)
	require.NoError(t, err)
	require.NoError(t, syscall.Close(forked))
	require.NoError(t, held.Close())
}
