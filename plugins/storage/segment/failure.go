package segment

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"odradek.dev/sdk/storage"
)

// blame is what a failed system call speaks of.
type blame int

const (
	// ofDisk takes the directory offline. What the table does not name is of the
	// disk too: a directory is served only as long as nothing odd is heard of it.
	ofDisk blame = iota
	// ofFile is about one file or folder: its log is offline, or does without it
	// if it can be made anew.
	ofFile
	// ofRoom is a disk that is full: over by itself once there is room.
	ofRoom
	// ofProcess is a limit of the process or of the machine, not of the disk:
	// over by itself once somebody gives back what is scarce.
	ofProcess
	// ofCall says nothing of either.
	ofCall
)

// blames is every error that is told apart; of several the first holds. The ones of package fs stand for
// several of the system's: fs.ErrPermission for EACCES and EPERM, fs.ErrExist for
// EEXIST and ENOTEMPTY.
var blames = []struct {
	err  error
	what blame
}{
	{syscall.EIO, ofDisk},
	{syscall.EROFS, ofDisk},
	{syscall.ENXIO, ofDisk},
	{syscall.ENODEV, ofDisk},
	{syscall.ESTALE, ofDisk},

	{syscall.ENOSPC, ofRoom},
	{syscall.EDQUOT, ofRoom},

	{syscall.EMFILE, ofProcess},
	{syscall.ENFILE, ofProcess},
	{syscall.ENOMEM, ofProcess},

	{fs.ErrPermission, ofFile},
	{fs.ErrNotExist, ofFile},
	{fs.ErrExist, ofFile},
	{syscall.EISDIR, ofFile},
	{syscall.ENOTDIR, ofFile},
	{syscall.ELOOP, ofFile},
	{syscall.ENAMETOOLONG, ofFile},
	{syscall.EFBIG, ofFile},
	{syscall.ETXTBSY, ofFile},

	{syscall.EINTR, ofCall},
	{fs.ErrClosed, ofCall},
}

// blameOf is ofCall for an error that no system call has made.
func blameOf(err error) blame {
	var (
		path   *fs.PathError
		link   *os.LinkError
		number syscall.Errno
	)
	if !errors.As(err, &path) && !errors.As(err, &link) && !errors.As(err, &number) {
		return ofCall
	}
	for _, known := range blames {
		if errors.Is(err, known.err) {
			return known.what
		}
	}
	return ofDisk
}

func diskFull(err error) bool { return err != nil && blameOf(err) == ofRoom }

// noDescriptor says that a file could not be opened, and so nothing was done to
// it, since too many are open.
func noDescriptor(err error) bool {
	return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE)
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
	switch blameOf(err) {
	case ofDisk:
		return true
	case ofFile:
		// If it is one file, the others can be reached. Else the disk is not
		// mounted any more, or somebody took away the folder or the right to it.
		_, err := d.files.Stat(filepath.Join(d.path, lockFile))
		return err != nil
	}
	return false
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
