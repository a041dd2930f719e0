package segment

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"odradek.dev/sdk/storage"
)

// notTheDisks are errors of system calls that say nothing about the disk: it
// is full, or the process has reached a limit of its own.
var notTheDisks = []error{
	syscall.ENOSPC, syscall.EDQUOT, syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, syscall.EINTR, fs.ErrClosed,
}

// diskError turns the failure of a disk into that of the directory, after which
// nothing more is written there. It leaves other errors as they are.
func (d *directory) diskError(err error) error {
	if err == nil || !d.isOfDisk(err) {
		return err
	}
	d.failure.CompareAndSwap(nil, &err)
	return d.failed()
}

func (d *directory) isOfDisk(err error) bool {
	var (
		path   *fs.PathError
		link   *os.LinkError
		number syscall.Errno
	)
	if !errors.As(err, &path) && !errors.As(err, &link) && !errors.As(err, &number) {
		return false
	}
	if slices.ContainsFunc(notTheDisks, func(other error) bool { return errors.Is(err, other) }) {
		return false
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return true
	}
	// Somebody removed a file, or the disk is not mounted any more.
	_, statErr := d.files.Stat(filepath.Join(d.path, lockFile))
	return statErr != nil
}

// failed is nil as long as the directory can be written to.
func (d *directory) failed() error {
	if cause := d.failure.Load(); cause != nil {
		return storage.ErrDirectoryFailed.With("%s: %v", d.path, *cause)
	}
	return nil
}

// abandon lets a directory go whose disk has failed. Nothing is written, so the
// next start is one after a crash. What its logs have to say was said when the
// disk failed.
func (d *directory) abandon(ctx context.Context) error {
	d.stopTimers()
	for _, l := range d.openLogs() {
		if err := l.Close(ctx); err != nil {
			d.log.Debug("log of a failed directory is let go", "log", l.path, "error", err)
		}
	}
	return d.lock.Close()
}
