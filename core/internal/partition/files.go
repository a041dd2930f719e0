package partition

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"sync/atomic"
	"syscall"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"odradek.dev/sdk/storage"
)

// Files keeps the files of extents open for reading. One descriptor serves
// every connection, since reads name their position. Safe for concurrent use.
type Files struct {
	mu   sync.Mutex
	open *simplelru.LRU[uint64, *OpenFile]
	// replaced are files whose path is another one's now, the last
	// replacedKept of them: whoever has found batches in one at this moment must
	// not open it by its path. order is from the oldest on.
	replaced map[uint64]bool
	order    []uint64
	// yieldOthers is [Options.YieldFiles], or nil.
	yieldOthers func(n, leave int) int
}

// replacedKept is far more files than are replaced between the moment in which
// a read finds batches and that in which it opens their file.
const replacedKept = 4096

// OpenFile is a borrowed file. Whoever has it gives it back with Release.
type OpenFile struct {
	*os.File
	owner *Partition
	// refs is the cache's own and one for each borrower.
	refs atomic.Int32
}

// NewFiles makes a cache of at most size files that nobody has borrowed.
func NewFiles(size int) *Files {
	open, err := simplelru.NewLRU(size, func(_ uint64, f *OpenFile) { f.Release() })
	if err != nil {
		panic(err) // size is a constant of the program and positive
	}
	return &Files{open: open}
}

// Acquire borrows a file of owner's log, opening it if need be.
func (c *Files) Acquire(owner *Partition, f storage.File) (*OpenFile, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if known, ok := c.open.Get(f.ID); ok {
		known.refs.Add(1)
		return known, nil
	}
	if c.replaced[f.ID] {
		return nil, fmt.Errorf("%s was replaced by a compacted segment: %w", f.Path, fs.ErrNotExist)
	}
	file, err := c.openFile(f.Path)
	if err != nil {
		return nil, err
	}
	opened := &OpenFile{File: file, owner: owner}
	opened.refs.Store(2)
	c.open.Add(f.ID, opened)
	return opened, nil
}

// openFile gives up half of the files that are kept when the process has no
// descriptor left, and has others give up theirs when none are. mu is held.
func (c *Files) openFile(path string) (*os.File, error) {
	for {
		file, err := os.Open(path)
		if !noDescriptor(err) || c.yield((c.open.Len()+1)/2, 0) == 0 {
			return file, err
		}
	}
}

// yieldedByOthers is how many files others are asked for: the next call needs a
// descriptor too.
const yieldedByOthers = 16

// yield closes the n that were not used for longest, down to leave, or has others
// close theirs, down to as many, when it has no more than that. One that is
// borrowed is closed only when it is given back, but that is soon. mu is held.
func (c *Files) yield(n, leave int) (closed int) {
	for ; closed < n && c.open.Len() > leave; closed++ {
		c.open.RemoveOldest()
	}
	if closed == 0 && c.yieldOthers != nil {
		return c.yieldOthers(yieldedByOthers, leave)
	}
	return closed
}

// Yield has up to n files closed that need not be open, here or, if there are
// none, elsewhere in the process, and returns how many. Some stay, of which one is
// closed when another is needed: who takes all the descriptors keeps nobody from
// the logs.
func (c *Files) Yield(n int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.yield(n, fewestFilesKept)
}

func noDescriptor(err error) bool {
	return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE)
}

// DropOwner lets go of the files of one partition, whose log was closed,
// trimmed or truncated: a removed file keeps its disk space while it is open.
func (c *Files) DropOwner(owner *Partition) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, id := range c.open.Keys() {
		if f, ok := c.open.Peek(id); ok && f.owner == owner {
			c.open.Remove(id)
		}
	}
}

// Replace is called before files are replaced by others of the same paths: from
// then on only those that are open are to be had.
func (c *Files) Replace(ids []uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.replaced == nil {
		c.replaced = make(map[uint64]bool)
	}
	for _, id := range ids {
		c.replaced[id] = true
	}
	c.order = append(c.order, ids...)
	for len(c.order) > max(replacedKept, len(ids)) {
		delete(c.replaced, c.order[0])
		c.order = c.order[1:]
	}
}

// Replaced is called afterwards, and lets go of the files; or takes Replace
// back if they were not replaced.
func (c *Files) Replaced(ids []uint64, done bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, id := range ids {
		if done {
			c.open.Remove(id)
		} else {
			delete(c.replaced, id)
		}
	}
}

// Close lets go of all.
func (c *Files) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open.Purge()
}

// Release gives the file back; the last one to do so closes it. Nothing was
// written to it, so that closing cannot lose anything.
func (f *OpenFile) Release() {
	if f.refs.Add(-1) == 0 {
		_ = f.Close()
	}
}
