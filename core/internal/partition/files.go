package partition

import (
	"os"
	"sync"
	"sync/atomic"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"odradek.dev/sdk/storage"
)

// Files keeps the files of extents open for reading. One descriptor serves
// every connection, since reads name their position. Safe for concurrent use.
type Files struct {
	mu   sync.Mutex
	open *simplelru.LRU[uint64, *OpenFile]
}

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
	file, err := os.Open(f.Path)
	if err != nil {
		return nil, err
	}
	opened := &OpenFile{File: file, owner: owner}
	opened.refs.Store(2)
	c.open.Add(f.ID, opened)
	return opened, nil
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
