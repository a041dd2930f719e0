package spawn

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"odradek.dev/sdk/module"
)

// socketDirPrefix begins the name of every folder for a module's socket.
const socketDirPrefix = "odradek-socket-"

// maxSocketBase keeps the path of the socket below the 104 bytes that darwin
// allows (linux: 108), with the names that are still to be added to it.
const maxSocketBase = 39

// SocketDir is a private folder for the socket of one child. The host holds a
// lock on it, so that folders of hosts that died can be told from live ones.
type SocketDir struct {
	Path string
	lock *os.File
}

// NewSocketDir makes a folder and removes those that dead hosts have left.
func NewSocketDir() (*SocketDir, error) {
	base := socketBase()
	if err := removeStale(base); err != nil {
		return nil, err
	}
	for {
		path, err := os.MkdirTemp(base, socketDirPrefix)
		if err != nil {
			return nil, module.Retriablef("no folder for a module's socket: %w; set TMPDIR to one that can be written to", err)
		}
		lock, held, err := tryLock(path)
		if err != nil {
			return nil, module.Retriablef("no lock on the folder for a module's socket: %w", err)
		}
		// Another host's sweep may have come between making and locking.
		if held && samePlace(lock, path) {
			return &SocketDir{Path: path, lock: lock}, nil
		}
		if lock != nil {
			_ = lock.Close() // the folder is gone
		}
	}
}

// Empty removes the folder while its lock goes on: the socket is connected and
// nobody needs its name any more. May be called twice.
func (d *SocketDir) Empty() error { return os.RemoveAll(d.Path) }

// Close removes the folder and gives the lock back.
func (d *SocketDir) Close() error { return errors.Join(d.Empty(), d.lock.Close()) }

func socketBase() string {
	if base := os.TempDir(); len(base) <= maxSocketBase {
		return base
	}
	return "/tmp"
}

// removeStale removes the folders that nobody holds a lock on. Those of other
// users cannot be opened and are left alone.
func removeStale(base string) error {
	paths, err := filepath.Glob(filepath.Join(base, socketDirPrefix+"*"))
	if err != nil {
		return err
	}
	for _, path := range paths {
		lock, held, err := tryLock(path)
		if err != nil || lock == nil {
			continue
		}
		if held && ours(lock) {
			err = os.RemoveAll(path)
		}
		if err := errors.Join(err, lock.Close()); err != nil {
			return module.Retriablef("the stale folder %s cannot be removed: %w", path, err)
		}
	}
	return nil
}

// tryLock opens the folder and locks it if nobody has. A folder that is gone
// gives neither a file nor an error.
func tryLock(path string) (lock *os.File, held bool, err error) {
	lock, err = os.OpenFile(path, os.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NOFOLLOW, 0)
	if errors.Is(err, os.ErrNotExist) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	err = syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return lock, false, nil
	}
	if err != nil {
		return nil, false, closing(lock, err)
	}
	return lock, true, nil
}

// samePlace reports whether path still names the folder that lock has open.
func samePlace(lock *os.File, path string) bool {
	open, errOpen := lock.Stat()
	named, errNamed := os.Lstat(path)
	return errOpen == nil && errNamed == nil && os.SameFile(open, named)
}

// ours reports whether the folder is one that a host of this user made: it has
// nothing in it but what go-plugin puts there.
func ours(lock *os.File) bool {
	info, err := lock.Stat()
	if err != nil || info.Mode().Perm() != 0o700 {
		return false
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); !ok || int(stat.Uid) != os.Geteuid() {
		return false
	}
	names, err := lock.Readdirnames(-1)
	return err == nil && !slices.ContainsFunc(names, func(name string) bool { return !strings.HasPrefix(name, "plugin-dir") })
}
