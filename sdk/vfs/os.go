package vfs

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// OS is the operating system's file system.
func OS() FS { return osFS{} }

type osFS struct{}

func (osFS) OpenFile(name string, flag int, perm fs.FileMode) (File, error) {
	f, err := os.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return osFile{f}, nil
}

func (osFS) Stat(name string) (fs.FileInfo, error)        { return os.Stat(name) }
func (osFS) ReadDir(name string) ([]fs.DirEntry, error)   { return os.ReadDir(name) }
func (osFS) MkdirAll(name string, perm fs.FileMode) error { return os.MkdirAll(name, perm) }
func (osFS) Rename(oldName, newName string) error         { return os.Rename(oldName, newName) }
func (osFS) Remove(name string) error                     { return os.Remove(name) }
func (osFS) RemoveAll(name string) error                  { return os.RemoveAll(name) }

func (osFS) SyncDir(name string) error { return syncThrough(name, (*os.File).Sync) }

func (osFS) SyncAll(name string) error { return syncThrough(name, syncFileSystem) }

// syncThrough opens a folder for a sync.
func syncThrough(name string, sync func(*os.File) error) error {
	dir, err := os.Open(name)
	if err != nil {
		return err
	}
	if err := sync(dir); err != nil {
		_ = dir.Close() // the sync's error is the one to report
		return err
	}
	return dir.Close()
}

func (osFS) Lock(name string) (io.Closer, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	if err := tryLock(f); err != nil {
		_ = f.Close() // nothing was written
		return nil, &fs.PathError{Op: "lock", Path: name, Err: err}
	}
	return heldLock{f}, nil
}

// heldLock is given back when it is closed, and not only once nobody has the
// file open any more: a child that was forked and has not begun its program yet
// has.
type heldLock struct{ *os.File }

func (l heldLock) Close() error { return errors.Join(unlock(l.File), l.File.Close()) }

type osFile struct{ *os.File }

func (f osFile) Size() (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

func (f osFile) Sync() error { return syncData(f.File) }
