package segment

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/hashicorp/go-hclog"

	"odradek.dev/sdk/storage"
)

// partitionLog is one open log. The one caller at a time of the methods that
// change it is its writer: it reads fields without mu and takes mu to change
// those that readers see.
type partitionLog struct {
	dir  *directory
	id   storage.ID
	path string
	log  hclog.Logger
	// config is changed with mu held.
	config storage.Config

	epochs  epochs
	flush   flush
	rewrite rewriter
	// began is the broker's time of the active segment's first append, in
	// milliseconds, -1 if that was before the log was opened. Only the writer
	// uses it.
	began int64

	// shape is held by whoever cuts bytes off or removes files, and for reading
	// by whoever goes through files. It is taken before mu, and never by Append:
	// a slow read does not hold an append up.
	shape sync.RWMutex

	// damageWriting is held while the list of damage is written, so that an older one
	// does not come after a newer one. It is taken before mu.
	damageWriting sync.Mutex

	mu sync.RWMutex
	// segments ascend by base offset; there is at least one. The slice is
	// replaced, never changed, so that a reader may go on with the one it has.
	segments []*segment
	// tail is nil until the first append.
	tail *tail
	// start and durable are at most end. Nothing below start has to be durable,
	// so durable may be below it.
	start, durable, end int64
	// renamed counts the changes to names in the log's folder, or to the
	// folder's own, and namesSynced is the count up to which they are durable.
	renamed, namesSynced uint64
	// unsyncedStates are the offsets of producer states whose files are not
	// durable yet.
	unsyncedStates []int64
	// created is the segment that the log was created with when it was opened,
	// nil if it was there before.
	created *segment
	// failure is why nothing more is written; syncFailure is the same if it
	// was a sync that failed.
	failure, syncFailure error
	closed               bool
}

func (l *partitionLog) active() *segment { return l.segments[len(l.segments)-1] }

// Bounds implements [storage.Log].
func (l *partitionLog) Bounds(context.Context) (storage.Bounds, error) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if l.closed {
		return storage.Bounds{}, l.closedError()
	}
	b := storage.Bounds{Start: l.start, Durable: max(l.durable, l.start), End: l.end}
	for _, s := range l.segments {
		b.Bytes += s.size
	}
	return b, nil
}

// Epochs implements [storage.Log].
func (l *partitionLog) Epochs(context.Context) ([]storage.EpochStart, error) {
	if err := l.readable(); err != nil {
		return nil, err
	}
	return l.epochs.list(), nil
}

// BeginEpoch implements [storage.Log].
func (l *partitionLog) BeginEpoch(_ context.Context, epoch int32) error {
	if err := l.writable(); err != nil {
		return err
	}
	if !l.epochs.begins(epoch) {
		return nil
	}
	if err := l.epochs.begin(epoch, l.end); err != nil {
		return l.writeError(err)
	}
	return nil
}

// Configure implements [storage.Log].
func (l *partitionLog) Configure(_ context.Context, c storage.Config) error {
	if err := l.writable(); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.config = settled(c)
	return nil
}

// indexInterval is index.interval.bytes, for others than the writer.
func (l *partitionLog) indexInterval() int64 {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.config.IndexIntervalBytes
}

// Close implements [storage.Log].
func (l *partitionLog) Close(context.Context) error {
	l.mu.RLock()
	closed, failure := l.closed, l.failure
	l.mu.RUnlock()
	if closed {
		return nil
	}
	if failure == nil {
		failure = l.dir.failed()
	}
	l.abandonRewrite()
	if failure == nil {
		failure = l.finish()
	}
	l.mu.Lock()
	l.closed = true
	segments := l.segments
	l.mu.Unlock()
	l.shape.Lock()
	defer l.shape.Unlock()
	for _, s := range segments {
		failure = errors.Join(failure, s.close())
	}
	l.dir.closed(l, failure)
	return failure
}

// finish leaves the files as a clean stop has them.
func (l *partitionLog) finish() error {
	if err := l.complete(); err != nil {
		return err
	}
	return l.syncAll(true)
}

// complete writes what is only written at a clean stop. A second call finds
// nothing to do.
func (l *partitionLog) complete() error {
	active := l.active()
	if err := errors.Join(l.flushActive(active), l.catchUp()); err != nil {
		return err
	}
	return l.giveBack(active)
}

// pristine reports whether the log was created and has never had a batch since.
// Such a log need not outlast a crash: it is created again. The caller holds
// l.mu.
func (l *partitionLog) pristine() bool {
	return len(l.segments) == 1 && l.segments[0] == l.created && l.created.written == 1
}

func (l *partitionLog) flushActive(active *segment) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return active.flushIndexes(true)
}

func (l *partitionLog) readable() error {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if l.closed {
		return l.closedError()
	}
	return nil
}

func (l *partitionLog) writable() error {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if l.closed || l.failure != nil {
		return l.closedError()
	}
	return l.dir.failed()
}

// closedError says why. The caller holds l.mu.
func (l *partitionLog) closedError() error {
	if err := l.dir.failed(); err != nil {
		return err
	}
	if l.failure != nil {
		return storage.ErrClosed.With("%s, after a write failed: %v", l.path, l.failure)
	}
	return storage.ErrClosed.With("%s", l.path)
}

// fail closes the log for writing, and all of the directory if its disk failed.
func (l *partitionLog) fail(err error) error {
	told := l.dir.diskError(err)
	l.mu.Lock()
	defer l.mu.Unlock()
	first := l.failure == nil
	if first {
		l.failure = err
	}
	if errors.Is(told, storage.ErrDirectoryFailed) {
		return told
	}
	if first {
		l.log.Error("log is closed for writing until it is opened again", "error", err)
	}
	return storage.ErrClosed.With("%s: %v", l.path, err)
}

func (l *partitionLog) recoveryPoint() int64 {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.durable
}

// startBeyondSegment is the start offset if the first segment's name does not
// tell it, and else 0.
func (l *partitionLog) startBeyondSegment() int64 {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if l.start > l.segments[0].base {
		return l.start
	}
	return 0
}

// segmentAt returns the index of the segment that offset is in: the last one
// with a base offset at or below it. The caller holds l.mu.
func segmentAt(segments []*segment, offset int64) int {
	at, found := slices.BinarySearchFunc(segments, offset, func(s *segment, o int64) int {
		switch {
		case s.base < o:
			return -1
		case s.base > o:
			return 1
		}
		return 0
	})
	if !found {
		at--
	}
	return max(at, 0)
}
