package segment

import (
	"io"
	"io/fs"

	"odradek.dev/sdk/vfs"
)

// withinDescriptors is max.open.files, or less if that would leave a process
// which may have limit descriptors fewer than half of them, for connections and
// what else it opens. 0 is no limit.
func withinDescriptors(maxOpenFiles int, limit uint64) int {
	if limit == 0 || uint64(maxOpenFiles) <= limit/2 {
		return maxOpenFiles
	}
	return max(int(limit/2), minOpenFiles)
}

// yielding is a file system whose calls, when the process has no descriptor
// left, have the cache close files that are not in use, and are made again. So
// the engine goes on when others have taken more descriptors than they should.
type yielding struct {
	vfs.FS
	cache *fileCache
}

// yieldedAtOnce is how many files are closed for one call: the next ones need
// descriptors too.
const yieldedAtOnce = 16

func (y yielding) do(call func() error) error {
	for {
		err := call()
		if !noDescriptor(err) || y.cache.yield(yieldedAtOnce, 0) == 0 {
			return err
		}
	}
}

func (y yielding) OpenFile(name string, flag int, perm fs.FileMode) (f vfs.File, err error) {
	err = y.do(func() error {
		f, err = y.FS.OpenFile(name, flag, perm)
		return err
	})
	return f, err
}

func (y yielding) ReadDir(name string) (entries []fs.DirEntry, err error) {
	err = y.do(func() error {
		entries, err = y.FS.ReadDir(name)
		return err
	})
	return entries, err
}

func (y yielding) Lock(name string) (lock io.Closer, err error) {
	err = y.do(func() error {
		lock, err = y.FS.Lock(name)
		return err
	})
	return lock, err
}

func (y yielding) RemoveAll(name string) error {
	return y.do(func() error { return y.FS.RemoveAll(name) })
}

func (y yielding) SyncDir(name string) error {
	return y.do(func() error { return y.FS.SyncDir(name) })
}

func (y yielding) SyncAll(name string) error {
	return y.do(func() error { return y.FS.SyncAll(name) })
}
