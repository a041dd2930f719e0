// Package vfs is the seam for files: the operating system's for a broker, and
// one that loses what was not synced, fails or fills up for a test.
package vfs

import (
	"errors"
	"io"
	"io/fs"
)

// ErrLocked is what Lock fails with when somebody else holds the lock.
var ErrLocked = errors.New("file is locked by another process")

// FS is what modules need of a file system. Paths are the operating system's.
// Safe for concurrent use.
type FS interface {
	// OpenFile opens with the flags of package os (O_RDWR, O_CREATE, ...).
	OpenFile(name string, flag int, perm fs.FileMode) (File, error)
	Stat(name string) (fs.FileInfo, error)
	ReadDir(name string) ([]fs.DirEntry, error)
	MkdirAll(name string, perm fs.FileMode) error
	// Rename replaces newName atomically if it is there.
	Rename(oldName, newName string) error
	Remove(name string) error
	RemoveAll(name string) error
	// SyncDir makes creations, renames and removals in a folder durable.
	SyncDir(name string) error
	// SyncAll makes all that was done before on the file system that name is on
	// durable, whoever did it. It fails with [errors.ErrUnsupported] where that
	// cannot be had, or could fail without a word.
	SyncAll(name string) error
	// Lock takes an exclusive lock on the file, creating it if need be, and
	// fails at once if another process (or another Lock) holds it. Closing
	// what it returns gives the lock back.
	Lock(name string) (io.Closer, error)
}

// File is an open file. ReadAt and WriteAt may run concurrently.
type File interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
	Name() string
	Size() (int64, error)
	Truncate(size int64) error
	// Sync makes the content, and the size, durable. After it has failed once
	// nothing written to the file may be trusted to be on the disk.
	Sync() error
}
