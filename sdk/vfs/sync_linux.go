package vfs

import (
	"errors"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
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

// syncFileSystem is syncfs, which tells of a write that failed since Linux 5.8.
func syncFileSystem(f *os.File) error {
	if !syncfsTells() {
		return errors.ErrUnsupported
	}
	for {
		err := unix.Syncfs(int(f.Fd()))
		if err == nil {
			return nil
		}
		if !errors.Is(err, unix.EINTR) {
			return &os.PathError{Op: "syncfs", Path: f.Name(), Err: err}
		}
	}
}

var syncfsTells = sync.OnceValue(func() bool {
	var name unix.Utsname
	if unix.Uname(&name) != nil {
		return false
	}
	return atLeast(unix.ByteSliceToString(name.Release[:]), 5, 8)
})

// atLeast compares a kernel's release, such as 6.1.0-13-amd64.
func atLeast(release string, major, minor int) bool {
	first, rest, _ := strings.Cut(release, ".")
	second, _, _ := strings.Cut(rest, ".")
	second, _, _ = strings.Cut(second, "-")
	is, err := strconv.Atoi(first)
	if err != nil || is != major {
		return err == nil && is > major
	}
	is, err = strconv.Atoi(second)
	return err == nil && is >= minor
}
