package vfs

import (
	"errors"
	"os"
	"syscall"
)

// syncData leaves out the times of the file, which fsync would write too; the
// size is data for fdatasync whenever the content cannot be read without it.
func syncData(f *os.File) error {
	for {
		err := syscall.Fdatasync(int(f.Fd()))
		if err == nil {
			return nil
		}
		if !errors.Is(err, syscall.EINTR) {
			return &os.PathError{Op: "fdatasync", Path: f.Name(), Err: err}
		}
	}
}
