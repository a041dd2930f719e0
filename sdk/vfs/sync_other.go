//go:build !linux

package vfs

import (
	"errors"
	"os"
)

// syncData on darwin is F_FULLFSYNC, which package os takes care of.
func syncData(f *os.File) error { return f.Sync() }

// syncFileSystem: what other systems have returns before the disk has it.
func syncFileSystem(*os.File) error { return errors.ErrUnsupported }
