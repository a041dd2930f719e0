package segment

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"odradek.dev/sdk/module"
	"odradek.dev/sdk/record"
	"odradek.dev/sdk/storage"
)

// rewriter makes the segment that is to replace others, in files that end in
// .cleaned. mu is held during a part, which may run beside everything but
// another part, and by Close. It is taken before the log's shape.
type rewriter struct {
	mu sync.Mutex
	// fresh is nil while there is no rewrite from from to to.
	fresh    *segment
	from, to int64
}

// Rewrite implements [storage.Log]. Each part is on the disk when it returns,
// so that the last one has little left to do.
func (l *partitionLog) Rewrite(_ context.Context, r storage.Rewrite) error {
	w := &l.rewrite
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := l.writable(); err != nil {
		return err
	}
	err := l.addPart(r)
	if err == nil && r.Last {
		err = l.replaceBy(w.fresh)
	}
	if err == nil && r.Last && r.Compacted > 0 {
		l.dir.noteCompacted(partitionOf(l.id), r.Compacted)
	}
	if err == nil && !r.Last {
		return nil
	}
	return errors.Join(err, l.forgetRewrite())
}

// addPart writes the batches of one part behind those before.
func (l *partitionLog) addPart(r storage.Rewrite) error {
	w := &l.rewrite
	if r.First {
		if err := l.beginRewrite(r); err != nil {
			return err
		}
	}
	if w.fresh == nil || w.from != r.From || w.to != r.To {
		return module.Invalidf("rewrite of %s from %d to %d was not begun", l.path, r.From, r.To)
	}
	if err := w.inspect(r.Batches); err != nil {
		return err
	}
	if err := w.write(r.Batches, l.indexInterval()); err != nil {
		return l.rewriteError(err)
	}
	return nil
}

func (l *partitionLog) beginRewrite(r storage.Rewrite) error {
	if err := l.forgetRewrite(); err != nil {
		return l.rewriteError(err)
	}
	if _, _, err := l.rewritable(r.From, r.To); err != nil {
		return err
	}
	fresh := l.newSegment(r.From)
	for _, f := range fresh.files() {
		f.path += cleanedSuffix
	}
	if err := fresh.file.create(); err != nil {
		return l.rewriteError(err)
	}
	fresh.loaded = true
	l.rewrite.fresh, l.rewrite.from, l.rewrite.to = fresh, r.From, r.To
	return nil
}

// rewritable finds the segments from first up to, not including, end that make
// up the range.
func (l *partitionLog) rewritable(from, to int64) (first, end int, err error) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	first, end = segmentAt(l.segments, from), segmentAt(l.segments, to)
	if from >= to || l.segments[first].base != from || l.segments[end].base != to || to > max(l.durable, l.start) || to-1-from > math.MaxInt32 {
		return 0, 0, module.Invalidf("%s: %d to %d are not the borders of closed segments that are durable and fit into one", l.path, from, to)
	}
	for _, s := range l.segments[first:end] {
		if len(s.damage) > 0 {
			return 0, 0, s.damage[0].error(s.file.path)
		}
	}
	return first, end, nil
}

// inspect checks that the bytes are whole batches that go on from those before.
func (w *rewriter) inspect(batches []byte) error {
	next := w.fresh.next
	for rest := batches; len(rest) > 0; {
		b, after, ok := record.Next(rest)
		if !ok || b.LastOffsetDelta() < 0 || b.BaseOffset() < next || b.LastOffset() >= w.to {
			return module.Invalidf("rewrite from %d to %d has no whole batch at or above %d at byte %d", w.from, w.to, next, len(batches)-len(rest))
		}
		next, rest = b.LastOffset()+1, after
	}
	if w.fresh.size+int64(len(batches)) > math.MaxInt32 {
		return storage.ErrTooLarge.With("rewrite from %d to %d", w.from, w.to)
	}
	return nil
}

func (w *rewriter) write(batches []byte, interval int64) error {
	s := w.fresh
	if len(batches) == 0 {
		return nil
	}
	if err := errors.Join(s.file.writeAt(batches, s.size), s.file.sync()); err != nil {
		return err
	}
	for rest := batches; len(rest) > 0; {
		b, after, _ := record.Next(rest)
		s.note(b.LastOffset(), b.MaxTimestamp(), int64(b.Size()), interval)
		rest = after
	}
	if len(s.offsets.pending) < pendingMax {
		return nil
	}
	return s.flushIndexes(false)
}

// rewriteError is about files that are not the log's yet.
func (l *partitionLog) rewriteError(err error) error {
	err = l.dir.diskError(err)
	switch {
	case errors.Is(err, storage.ErrDirectoryFailed):
		return err
	case diskFull(err):
		return storage.ErrFull.With("rewrite of %s: %v", l.path, err)
	}
	return module.Retriablef("rewrite of %s: %w", l.path, err)
}

// forgetRewrite removes what there is of a rewrite. Its files are gone already
// if it was carried out.
func (l *partitionLog) forgetRewrite() error {
	s := l.rewrite.fresh
	if s == nil {
		return nil
	}
	l.rewrite.fresh = nil
	err := s.close()
	for _, f := range s.files() {
		err = errors.Join(err, removeFile(l.dir.files, f.path))
	}
	return err
}

// abandonRewrite is for a log that is closed: no part comes after it.
func (l *partitionLog) abandonRewrite() {
	l.rewrite.mu.Lock()
	defer l.rewrite.mu.Unlock()
	if err := l.forgetRewrite(); err != nil {
		l.log.Warn("file of an unfinished rewrite cannot be removed; it will be when the log is opened next", "error", err)
	}
}

// replaceBy puts made in the place of the segments that it was made of. Once
// its .log file has the name .log.swap for good, opening the log carries on
// from any point; before, it removes what there is of it.
func (l *partitionLog) replaceBy(made *segment) error {
	w := &l.rewrite
	if made.next != w.to {
		return module.Invalidf("rewrite of %s from %d to %d ends at %d", l.path, w.from, w.to, made.next)
	}
	// No other writer is about: what is rewritable stays so.
	first, end, err := l.rewritable(w.from, w.to)
	if err != nil {
		return err
	}
	// Recovery takes gaps only below the recovery point that is on the disk.
	if err := l.dir.raiseRecoveryPoint(partitionOf(l.id), w.to); err != nil {
		return l.rewriteError(err)
	}
	if err := l.stage(made); err != nil {
		return l.rewriteError(err)
	}
	if err := l.swap(made, first, end); err != nil {
		return l.fail(err)
	}
	if err := l.dropStatesWithin(w.from, w.to); err != nil {
		l.log.Warn("producer states that nobody needs cannot be removed", "error", err)
	}
	return nil
}

// stage makes the indexes durable and gives them the names that they keep until
// the .log file has its own.
func (l *partitionLog) stage(made *segment) error {
	if err := made.flushIndexes(true); err != nil {
		return err
	}
	for _, f := range []*cachedFile{made.offsets.file, made.times.file} {
		if err := f.sync(); err != nil {
			return err
		}
	}
	if err := made.close(); err != nil {
		return err
	}
	for _, suffix := range []string{indexSuffix, timeIndexSuffix} {
		if err := l.rename(made.base, suffix+cleanedSuffix, suffix+swapSuffix); err != nil {
			return errors.Join(err, removeFile(l.dir.files, filepath.Join(l.path, offsetName(made.base, indexSuffix+swapSuffix))))
		}
	}
	return nil
}

// swap is carried on by finishRewrite if a crash ends it.
func (l *partitionLog) swap(made *segment, first, end int) error {
	if err := l.rename(made.base, logSuffix+cleanedSuffix, logSuffix+swapSuffix); err != nil {
		return err
	}
	if err := l.dir.files.SyncDir(l.path); err != nil {
		return err
	}
	if err := l.exchange(made, first, end); err != nil {
		return err
	}
	return l.dir.files.SyncDir(l.path)
}

// exchange does what readers have to wait for.
func (l *partitionLog) exchange(made *segment, first, end int) error {
	l.shape.Lock()
	defer l.shape.Unlock()
	fresh := l.newSegment(made.base)
	fresh.size, fresh.next, fresh.sinceEntry = made.size, made.next, made.sinceEntry
	fresh.largest, fresh.largestAt, fresh.loaded = made.largest, made.largestAt, true
	fresh.offsets.created, fresh.offsets.stored, fresh.offsets.last = true, made.offsets.stored, made.offsets.last
	fresh.times.created, fresh.times.stored, fresh.times.last = true, made.times.stored, made.times.last
	gone := l.segments[first:end]
	l.mu.Lock()
	l.segments = slices.Concat(l.segments[:first], []*segment{fresh}, l.segments[end:])
	l.mu.Unlock()
	if err := l.giveWay(gone); err != nil {
		return err
	}
	for _, suffix := range []string{indexSuffix, timeIndexSuffix, logSuffix} {
		if err := l.rename(made.base, suffix+swapSuffix, suffix); err != nil {
			return err
		}
	}
	return nil
}

// giveWay renames the files of segments that are replaced, for good, and has
// them deleted later.
func (l *partitionLog) giveWay(gone []*segment) error {
	var paths []string
	for _, s := range gone {
		retired, err := s.retire()
		paths = append(paths, retired...)
		if err != nil {
			return err
		}
	}
	if err := l.dir.files.SyncDir(l.path); err != nil {
		return err
	}
	l.dir.deleteLater(time.Duration(l.config.FileDeleteDelayMs)*time.Millisecond, paths)
	return nil
}

func (l *partitionLog) rename(base int64, from, to string) error {
	return l.dir.files.Rename(filepath.Join(l.path, offsetName(base, from)), filepath.Join(l.path, offsetName(base, to)))
}

// dropStatesWithin removes the states of segments that are one now, if there is
// a newer one, also after a crash: of batches that are durable, and durable
// itself.
func (l *partitionLog) dropStatesWithin(from, to int64) error {
	newest, ok, err := l.newestState(l.recoveryPoint())
	if err != nil || !ok || newest < to {
		return err
	}
	l.mu.RLock()
	unsynced := slices.Contains(l.unsyncedStates, newest)
	l.mu.RUnlock()
	if unsynced {
		if err := l.dir.files.SyncDir(l.path); err != nil {
			return err
		}
		if err := syncFile(l.dir.files, filepath.Join(l.path, offsetName(newest, snapshotSuffix))); err != nil {
			return err
		}
	}
	return l.dropStates(func(offset int64) bool { return from < offset && offset < to })
}
