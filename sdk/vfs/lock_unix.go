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
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case errors.Is(err, syscall.EINTR):
		case errors.Is(err, syscall.EWOULDBLOCK):
			return ErrLocked
		default:
			return err
		}
	}
}
