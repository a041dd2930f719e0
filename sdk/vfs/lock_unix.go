//go:build unix

package vfs

import (
	"errors"
	"os"
	"syscall"
)

// tryLock takes flock's exclusive lock, which belongs to the open file: a
// second open of it in the same process is refused too, and the kernel gives
// the lock back when the process dies.
func tryLock(f *os.File) error {
	err := flock(f, syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return ErrLocked
	}
	return err
}

func unlock(f *os.File) error { return flock(f, syscall.LOCK_UN) }

func flock(f *os.File, how int) error {
	for {
		if err := syscall.Flock(int(f.Fd()), how); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}
