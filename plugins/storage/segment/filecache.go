package segment

import (
	"errors"
	"os"
	"sync"
	"sync/atomic"

	"odradek.dev/sdk/vfs"
)

// fileCache bounds how many files are open. It lets go of those that were not
// used since the hand last came by (the clock algorithm), so that using an
// open file costs no lock that others contend for.
type fileCache struct {
	files vfs.FS
	limit int

	mu sync.Mutex
	// open holds each cachedFile that has a handle, at its slot.
	open []*cachedFile
	hand int
}

// newFileCache bounds what is opened of files, and gives from it what the file
// system that it returns needs when there is no descriptor left.
func newFileCache(files vfs.FS, limit int) (*fileCache, vfs.FS) {
	c := &fileCache{limit: limit}
	c.files = yielding{files, c}
	return c, c.files
}

// cachedFile is a file that is open only while it is of use.
type cachedFile struct {
	cache *fileCache
	path  string

	// mu is held for reading while the handle is in use; whoever closes it
	// holds it for writing.
	mu     sync.RWMutex
	handle vfs.File
	used   atomic.Bool
	// slot is the index in fileCache.open, guarded by fileCache.mu.
	slot int
}

func (c *fileCache) file(path string) *cachedFile { return &cachedFile{cache: c, path: path, slot: -1} }

// acquire returns the open file, which stays open until release. A file that
// was removed meanwhile is not made again.
func (f *cachedFile) acquire() (vfs.File, error) {
	for {
		f.mu.RLock()
		if f.handle != nil {
			if !f.used.Load() {
				f.used.Store(true)
			}
			return f.handle, nil
		}
		f.mu.RUnlock()
		if err := f.open(os.O_RDWR); err != nil {
			return nil, err
		}
	}
}

func (f *cachedFile) release() { f.mu.RUnlock() }

// create makes the file if it is not there, and empties it. What is there and
// cannot be written gives way: nothing of it was to be kept.
func (f *cachedFile) create() error {
	const flag = os.O_RDWR | os.O_CREATE | os.O_TRUNC
	if err := f.close(); err != nil {
		return err
	}
	err := f.open(flag)
	if err == nil || blameOf(err) != ofFile || notThere(err) {
		return err
	}
	if clearErr := clearAway(f.cache.files, f.path); clearErr != nil {
		return errors.Join(err, clearErr)
	}
	return f.open(flag)
}

func (f *cachedFile) open(flag int) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.handle != nil {
		return nil
	}
	f.cache.makeRoom()
	handle, err := f.cache.files.OpenFile(f.path, flag, 0o644)
	if err != nil {
		return err
	}
	f.handle = handle
	f.used.Store(true)
	f.cache.add(f)
	return nil
}

// close lets the handle go; the next acquire opens the file again.
func (f *cachedFile) close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.handle == nil {
		return nil
	}
	f.cache.remove(f)
	err := f.handle.Close()
	f.handle = nil
	return err
}

func (c *fileCache) add(f *cachedFile) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f.slot = len(c.open)
	c.open = append(c.open, f)
}

func (c *fileCache) remove(f *cachedFile) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drop(f)
}

func (c *fileCache) drop(f *cachedFile) {
	last := c.open[len(c.open)-1]
	c.open[f.slot], last.slot = last, f.slot
	c.open = c.open[:len(c.open)-1]
	f.slot = -1
}

// makeRoom closes idle files until one more fits. When all are in use at this
// moment the limit is passed, rather than that a call waits for another's.
func (c *fileCache) makeRoom() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closeIdle(len(c.open) - c.limit + 1)
}

// yield closes up to n idle files, as long as more than leave are open, and
// returns how many it has.
func (c *fileCache) yield(n, leave int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.closeIdle(min(n, len(c.open)-leave))
}

// closeIdle closes up to n files that are not in use, those first that were not
// since the hand last came by. mu is held.
func (c *fileCache) closeIdle(n int) (closed int) {
	for turns := 2 * len(c.open); closed < n && turns > 0 && len(c.open) > 0; turns-- {
		c.hand++
		if c.hand >= len(c.open) {
			c.hand = 0
		}
		f := c.open[c.hand]
		if f.used.Swap(false) || !f.mu.TryLock() {
			continue
		}
		c.drop(f)
		// What was written has left the handle; Close has nothing to add, and
		// an error of the disk comes back from the next sync.
		_ = f.handle.Close()
		f.handle = nil
		f.mu.Unlock()
		closed++
	}
	return closed
}

// readAt fills p or fails.
func (f *cachedFile) readAt(p []byte, at int64) error {
	n, err := f.readSome(p, at)
	if n == len(p) {
		return nil
	}
	return err
}

// readSome reads what there is, which is less than p only at the end of the
// file (io.EOF) or on an error.
func (f *cachedFile) readSome(p []byte, at int64) (int, error) {
	handle, err := f.acquire()
	if err != nil {
		return 0, err
	}
	defer f.release()
	return handle.ReadAt(p, at)
}

func (f *cachedFile) writeAt(p []byte, at int64) error {
	handle, err := f.acquire()
	if err != nil {
		return err
	}
	defer f.release()
	_, err = handle.WriteAt(p, at)
	return err
}

func (f *cachedFile) truncate(size int64) error {
	handle, err := f.acquire()
	if err != nil {
		return err
	}
	defer f.release()
	return handle.Truncate(size)
}

func (f *cachedFile) sync() error {
	handle, err := f.acquire()
	if err != nil {
		return err
	}
	defer f.release()
	return handle.Sync()
}

// retire closes the file and renames it for deletion.
func (f *cachedFile) retire() error {
	return errors.Join(f.close(), f.cache.files.Rename(f.path, f.path+deletedSuffix))
}
