package vfs

import (
	"errors"
	"io"
	"io/fs"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
)

// OpKind is what is about to be done to a file or folder.
type OpKind int

// The operations that a fault can hit.
const (
	OpOpen OpKind = iota + 1
	OpRead
	OpWrite
	OpTruncate
	OpSync
	OpSyncDir
	OpRename
	OpRemove
	OpMkdir
	OpReadDir
	OpStat
	OpSyncAll
)

// Op is one operation.
type Op struct {
	Kind OpKind
	// Path is the file's or folder's; the old name of a rename.
	Path string
	// Bytes is the length of a read or write.
	Bytes int
}

// Inject decides, before an operation, whether it fails. nil lets it through.
// A write that returns a [*ShortWrite] is made in part. Called concurrently.
type Inject func(Op) error

// ShortWrite lets the first Written bytes of a write through.
type ShortWrite struct {
	Written int
	Err     error
}

func (s *ShortWrite) Error() string { return "short write: " + s.Err.Error() }

// Unwrap is Err.
func (s *ShortWrite) Unwrap() error { return s.Err }

// WithFaults wraps a file system for tests.
func WithFaults(base FS, inject Inject) FS { return faultyFS{base, inject} }

// FailNth fails the nth operation (counted from 1) of a kind on paths that
// contain part, once.
func FailNth(kind OpKind, part string, n int, err error) Inject {
	var seen atomic.Int64
	return func(op Op) error {
		if op.Kind == kind && strings.Contains(op.Path, part) && seen.Add(1) == int64(n) {
			return err
		}
		return nil
	}
}

// Space is a disk with room for so many bytes more; writes beyond it fail with
// ENOSPC after as many bytes as there was room for. Give its Inject to
// [WithFaults]. What is overwritten, truncated or removed is not counted back.
type Space struct {
	mu   sync.Mutex
	free int64
}

// NewSpace returns a disk with room for free bytes.
func NewSpace(free int64) *Space { return &Space{free: free} }

// Set says how much room there is from now on.
func (s *Space) Set(free int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free = free
}

// Inject takes room for each write.
func (s *Space) Inject(op Op) error {
	if op.Kind != OpWrite {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if room := s.free; room < int64(op.Bytes) {
		s.free = 0
		return &ShortWrite{Written: int(room), Err: syscall.ENOSPC}
	}
	s.free -= int64(op.Bytes)
	return nil
}

type faultyFS struct {
	base   FS
	inject Inject
}

func (f faultyFS) do(kind OpKind, name string) error {
	if err := f.inject(Op{Kind: kind, Path: name}); err != nil {
		return &fs.PathError{Op: "injected", Path: name, Err: err}
	}
	return nil
}

func (f faultyFS) OpenFile(name string, flag int, perm fs.FileMode) (File, error) {
	if err := f.do(OpOpen, name); err != nil {
		return nil, err
	}
	file, err := f.base.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return faultyFile{File: file, fs: f}, nil
}

func (f faultyFS) Stat(name string) (fs.FileInfo, error) {
	if err := f.do(OpStat, name); err != nil {
		return nil, err
	}
	return f.base.Stat(name)
}

func (f faultyFS) ReadDir(name string) ([]fs.DirEntry, error) {
	if err := f.do(OpReadDir, name); err != nil {
		return nil, err
	}
	return f.base.ReadDir(name)
}

func (f faultyFS) MkdirAll(name string, perm fs.FileMode) error {
	if err := f.do(OpMkdir, name); err != nil {
		return err
	}
	return f.base.MkdirAll(name, perm)
}

func (f faultyFS) Rename(oldName, newName string) error {
	if err := f.do(OpRename, oldName); err != nil {
		return err
	}
	return f.base.Rename(oldName, newName)
}

func (f faultyFS) Remove(name string) error {
	if err := f.do(OpRemove, name); err != nil {
		return err
	}
	return f.base.Remove(name)
}

func (f faultyFS) RemoveAll(name string) error {
	if err := f.do(OpRemove, name); err != nil {
		return err
	}
	return f.base.RemoveAll(name)
}

func (f faultyFS) SyncDir(name string) error {
	if err := f.do(OpSyncDir, name); err != nil {
		return err
	}
	return f.base.SyncDir(name)
}

func (f faultyFS) SyncAll(name string) error {
	if err := f.do(OpSyncAll, name); err != nil {
		return err
	}
	return f.base.SyncAll(name)
}

func (f faultyFS) Lock(name string) (io.Closer, error) { return f.base.Lock(name) }

type faultyFile struct {
	File
	fs faultyFS
}

func (f faultyFile) ReadAt(p []byte, off int64) (int, error) {
	if err := f.fs.inject(Op{Kind: OpRead, Path: f.Name(), Bytes: len(p)}); err != nil {
		return 0, err
	}
	return f.File.ReadAt(p, off)
}

func (f faultyFile) WriteAt(p []byte, off int64) (int, error) {
	err := f.fs.inject(Op{Kind: OpWrite, Path: f.Name(), Bytes: len(p)})
	var short *ShortWrite
	switch {
	case errors.As(err, &short):
		n, writeErr := f.File.WriteAt(p[:short.Written], off)
		if writeErr != nil {
			return n, writeErr
		}
		return n, short
	case err != nil:
		return 0, err
	}
	return f.File.WriteAt(p, off)
}

func (f faultyFile) Truncate(size int64) error {
	if err := f.fs.do(OpTruncate, f.Name()); err != nil {
		return err
	}
	return f.File.Truncate(size)
}

func (f faultyFile) Sync() error {
	if err := f.fs.do(OpSync, f.Name()); err != nil {
		return err
	}
	return f.File.Sync()
}
