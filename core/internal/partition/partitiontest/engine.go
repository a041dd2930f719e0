// Package partitiontest has a storage engine and a replication strategy that
// are small enough to see through, for the tests of what stands on them.
package partitiontest

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"sync"

	"odradek.dev/sdk/record"
	"odradek.dev/sdk/storage"
)

// Engine keeps each log in one file and what it knows of it in memory. It
// outlives the registries of a test, as a disk does a broker. Safe for
// concurrent use.
type Engine struct {
	// Inline makes reads answer with bytes and not with places in files.
	Inline bool
	// FailOpen, if set, is asked before a log is opened.
	FailOpen func(storage.Open) error
	// FailAppend, if set, is asked before each append.
	FailAppend func() error
	// FailSync, if set, is asked before each sync.
	FailSync func() error
	// AfterRewrite, if set, is called after each rewrite.
	AfterRewrite func()
	// AfterRead, if set, is called after each read of a log.
	AfterRead func()
	// FailTrim, if set, is asked before each trim.
	FailTrim func() error
	// FailCheckpoint, if set, is asked before high watermarks are kept.
	FailCheckpoint func(dir string) error
	// SegmentBatches is how many batches a segment has; 0 for no end.
	SegmentBatches int

	mu      sync.Mutex
	logs    map[storage.ID]*Log
	Removed []storage.ID
	// Unmounted are the directories that were let go, and Checkpoints counts the
	// times that high watermarks were kept.
	Unmounted   []string
	Checkpoints int
}

// Mount implements [storage.Engine].
func (e *Engine) Mount(_ context.Context, m storage.Mount) (storage.Mounted, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	var found []storage.ID
	for id, l := range e.logs {
		if l.dir == m.Dir {
			found = append(found, id)
		}
	}
	own := sha256.Sum256([]byte(m.Dir))
	return storage.Mounted{DirectoryID: [16]byte(own[:16]), Clean: true, Logs: found}, os.MkdirAll(m.Dir, 0o700)
}

// Lose loses the logs of a directory, as a disk that breaks does.
func (e *Engine) Lose(dir string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	maps.DeleteFunc(e.logs, func(_ storage.ID, l *Log) bool {
		if l.dir == dir {
			_ = l.closeFile() // it is lost
		}
		return l.dir == dir
	})
}

// Close closes the files of all logs, for the end of a test. Those that are left
// to the collector give descriptors back while another test counts them.
func (e *Engine) Close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	var errs []error
	for _, l := range e.logs {
		errs = append(errs, l.closeFile())
	}
	return errors.Join(errs...)
}

// Rename gives a log another id, as damage to what says it does.
func (e *Engine) Rename(from, to storage.ID) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.logs[to] = e.logs[from]
	delete(e.logs, from)
}

// Unmount implements [storage.Engine].
func (e *Engine) Unmount(_ context.Context, dir string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.Unmounted = append(e.Unmounted, dir)
	return nil
}

// Open implements [storage.Engine].
func (e *Engine) Open(_ context.Context, o storage.Open) (storage.Log, storage.Recovery, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.FailOpen != nil {
		if err := e.FailOpen(o); err != nil {
			return nil, storage.Recovery{}, err
		}
	}
	if l, ok := e.logs[o.ID]; ok {
		if l.dir != o.Dir {
			return nil, storage.Recovery{}, fmt.Errorf("log of %s-%d is in %s and was opened in %s", o.ID.Topic, o.ID.Partition, l.dir, o.Dir)
		}
		l.reopen()
		return l, storage.Recovery{Compacted: l.compacted}, nil
	}
	name := fmt.Sprintf("%s-%d-%x", o.ID.Topic, o.ID.Partition, o.ID.TopicID[:4])
	file, err := os.Create(filepath.Join(o.Dir, name))
	if err != nil {
		return nil, storage.Recovery{}, err
	}
	l := &Log{engine: e, dir: o.Dir, file: file, fileID: uint64(len(e.logs) + 1), bases: []int64{0}, states: make(map[int64][]byte)}
	if e.logs == nil {
		e.logs = make(map[storage.ID]*Log)
	}
	e.logs[o.ID] = l
	return l, storage.Recovery{}, nil
}

// Remove implements [storage.Engine].
func (e *Engine) Remove(_ context.Context, _ string, id storage.ID) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if l, ok := e.logs[id]; ok {
		delete(e.logs, id)
		e.Removed = append(e.Removed, id)
		return errors.Join(l.closeFile(), os.Remove(l.file.Name()))
	}
	return nil
}

// SaveHighWatermarks implements [storage.Engine].
func (e *Engine) SaveHighWatermarks(_ context.Context, dir string, marks []storage.HighWatermark) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.FailCheckpoint != nil {
		if err := e.FailCheckpoint(dir); err != nil {
			return err
		}
	}
	e.Checkpoints++
	for _, m := range marks {
		if l := e.logs[m.ID]; l != nil && l.dir == dir {
			l.watermark = m.Offset
		}
	}
	return nil
}

// HighWatermark is the last that was kept of a log.
func (e *Engine) HighWatermark(id storage.ID) int64 {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.logs[id].watermark
}

// Log finds the log of an id that was opened.
func (e *Engine) Log(id storage.ID) *Log {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.logs[id]
}

type batch struct {
	record.Batch // its header
	at           int64
}

// Log is one log of an [Engine].
type Log struct {
	engine *Engine
	dir    string
	file   *os.File
	fileID uint64

	mu sync.RWMutex
	// watermark is under the engine's mu.
	watermark int64
	// batches are the headers, in order.
	batches    []batch
	start, end int64
	durable    int64
	size       int64
	inSegment  int
	// bases are the base offsets of the segments, which share the file.
	bases  []int64
	states map[int64][]byte
	epochs []storage.EpochStart
	hard   []byte
	closed bool
	// Syncs counts calls of Sync; Gate, if set, is waited for in each.
	Syncs int
	Gate  chan struct{}
	// Listed counts calls of Segments.
	Listed int
	// Rewritten counts the rewrites that were carried out; rewritten is what one
	// in progress has so far.
	Rewritten int
	rewritten []byte
	compacted int64
	// Configured are the configurations that it was given after it was opened.
	Configured []storage.Config
}

func (l *Log) closeFile() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.file.Close()
}

func (l *Log) reopen() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = false
}

// Append implements [storage.Log].
func (l *Log) Append(_ context.Context, a storage.Append) (storage.Appended, error) {
	if l.engine.FailAppend != nil {
		if err := l.engine.FailAppend(); err != nil {
			return storage.Appended{}, err
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return storage.Appended{}, storage.ErrClosed
	}
	if record.Batch(a.Batches).BaseOffset() != l.end {
		return storage.Appended{}, storage.ErrNotContiguous
	}
	if _, err := l.file.WriteAt(a.Batches, l.size); err != nil {
		return storage.Appended{}, err
	}
	rolled := int64(-1)
	if l.engine.SegmentBatches > 0 && l.inSegment >= l.engine.SegmentBatches {
		rolled = l.roll()
	}
	for rest := a.Batches; len(rest) > 0; l.inSegment++ {
		b, after, _ := record.Next(rest)
		l.batches = append(l.batches, batch{Batch: append(record.Batch(nil), b[:record.HeaderSize]...), at: l.size})
		l.size += int64(len(b))
		l.end = b.LastOffset() + 1
		rest = after
	}
	return storage.Appended{End: l.end, Rolled: rolled}, nil
}

// Read implements [storage.Log].
func (l *Log) Read(_ context.Context, r storage.Read) (storage.Chunk, error) {
	if l.engine.AfterRead != nil {
		defer l.engine.AfterRead()
	}
	l.mu.RLock()
	defer l.mu.RUnlock()
	if l.closed {
		return storage.Chunk{}, storage.ErrClosed
	}
	if r.Offset < l.start || r.Offset > l.end {
		return storage.Chunk{}, storage.ErrOffsetOutOfRange
	}
	from, to := int64(-1), int64(0)
	for _, b := range l.batches {
		if b.LastOffset() < r.Offset || b.BaseOffset() >= r.Before {
			continue
		}
		if from < 0 {
			from = b.at
			to = max(b.at+int64(b.Size()), from+r.MaxBytes)
		}
		to = min(to, from+max(r.MaxBytes, int64(b.Size())))
	}
	if from < 0 {
		return storage.Chunk{}, nil
	}
	return l.chunk(from, min(to, l.before(r.Before)))
}

// before is the position at which the batches at or above offset begin.
func (l *Log) before(offset int64) int64 {
	for _, b := range l.batches {
		if b.BaseOffset() >= offset {
			return b.at
		}
	}
	return l.size
}

func (l *Log) chunk(from, to int64) (storage.Chunk, error) {
	e := storage.Extent{File: storage.File{ID: l.fileID, Path: l.file.Name()}, Position: from, Length: to - from}
	if l.engine.Inline {
		e = storage.Extent{Data: make([]byte, to-from), Length: to - from}
		if _, err := l.file.ReadAt(e.Data, from); err != nil {
			return storage.Chunk{}, err
		}
	}
	return storage.Chunk{Extents: []storage.Extent{e}}, nil
}
