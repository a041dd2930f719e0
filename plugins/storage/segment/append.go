package segment

import (
	"context"
	"errors"
	"math"

	"odradek.dev/sdk/module"
	"odradek.dev/sdk/record"
	"odradek.dev/sdk/storage"
)

// Append implements [storage.Log]: one write, and no other system call unless
// a segment begins.
func (l *partitionLog) Append(_ context.Context, a storage.Append) (storage.Appended, error) {
	if err := l.writable(); err != nil {
		return storage.Appended{}, err
	}
	next, err := l.inspect(a.Batches)
	if err != nil {
		return storage.Appended{}, err
	}
	rolled := int64(-1)
	if l.mustRoll(int64(len(a.Batches)), next, a.Now) {
		if err := l.roll(); err != nil {
			return storage.Appended{}, err
		}
		rolled = l.active().base
	}
	if err := l.write(a.Batches); err != nil {
		return storage.Appended{}, err
	}
	l.noteEpochs(a.Batches)
	l.publish(a.Batches, a.Now)
	return storage.Appended{End: next, Rolled: rolled}, nil
}

// inspect checks that the bytes are whole batches which follow the log's end
// and one another, and returns the offset after the last.
func (l *partitionLog) inspect(batches []byte) (next int64, err error) {
	if len(batches) == 0 {
		return 0, module.Invalidf("append to %s has no batches", l.path)
	}
	if int64(len(batches)) > l.config.SegmentBytes {
		return 0, storage.ErrTooLarge.With("%d bytes, segment.bytes is %d", len(batches), l.config.SegmentBytes)
	}
	next = l.end
	for rest := batches; len(rest) > 0; {
		batch, after, ok := record.Next(rest)
		if !ok || batch.LastOffsetDelta() < 0 {
			return 0, module.Invalidf("append to %s has no whole batch at byte %d", l.path, len(batches)-len(rest))
		}
		if batch.BaseOffset() != next {
			return 0, storage.ErrNotContiguous.With("%s: batch at %d, expected %d", l.path, batch.BaseOffset(), next)
		}
		next, rest = batch.LastOffset()+1, after
	}
	return next, nil
}

func (l *partitionLog) mustRoll(bytes, next, now int64) bool {
	s := l.active()
	if s.size == 0 {
		return false
	}
	if l.began < 0 {
		l.began = l.firstTimestamp(s, now)
	}
	return s.size+bytes > l.config.SegmentBytes ||
		l.config.SegmentMs > 0 && now-l.began > l.config.SegmentMs ||
		s.offsets.count() >= l.config.SegmentIndexBytes/offsetEntrySize ||
		s.times.count() >= l.config.SegmentIndexBytes/timeEntrySize ||
		next-1-s.base > math.MaxInt32
}

// firstTimestamp stands in for the time of the first append, which a log that
// was opened again does not know.
func (l *partitionLog) firstTimestamp(s *segment, now int64) int64 {
	l.mu.RLock()
	w := s.walk(0, s.base) // readers may add to the damage
	l.mu.RUnlock()
	defer w.done()
	w.strict = true
	b, ok, err := w.next()
	if err != nil || !ok || b.timestamp < 0 {
		return now
	}
	return min(b.timestamp, now)
}

// noteEpochs remembers the epochs that begin within the batches. They are on
// the disk before the recovery point passes the batches.
func (l *partitionLog) noteEpochs(batches []byte) {
	for rest := batches; len(rest) > 0; {
		batch, after, _ := record.Next(rest)
		if epoch := batch.LeaderEpoch(); l.epochs.begins(epoch) {
			l.epochs.note(epoch, batch.BaseOffset())
		}
		rest = after
	}
}

func (l *partitionLog) write(batches []byte) error {
	s := l.active()
	err := s.file.writeAt(batches, s.size)
	if err == nil {
		return nil
	}
	if noDescriptor(err) {
		return l.writeError(err) // nothing was written
	}
	if !diskFull(err) {
		return l.fail(err)
	}
	// What part of the write there was goes, and is gone for good, so that no
	// later batch can be followed by remains of this one.
	if err := errors.Join(s.file.truncate(s.size), s.file.sync()); err != nil {
		return l.fail(err)
	}
	return l.writeError(err)
}

// publish lets readers see what was written.
func (l *partitionLog) publish(batches []byte, now int64) {
	s := l.active()
	if s.size == 0 {
		l.began = now
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.tail == nil {
		l.tail = &tail{}
	}
	for rest := batches; len(rest) > 0; {
		batch, after, _ := record.Next(rest)
		l.tail.add(batch.BaseOffset(), s.size)
		s.note(batch.LastOffset(), batch.MaxTimestamp(), int64(batch.Size()), l.config.IndexIntervalBytes)
		rest = after
	}
	s.written++
	l.end = s.next
	l.spill(s)
}

// spill writes the index entries once there are many. The batches are in the
// log whatever becomes of them: a disk that is full now is no error.
func (l *partitionLog) spill(s *segment) {
	if len(s.offsets.pending) < pendingMax {
		return
	}
	if err := s.flushIndexes(false); err != nil {
		l.log.Warn("index entries cannot be written and stay in memory", "error", err)
	}
}

// roll seals the active segment and begins another one at the log's end. The
// first one's name is durable before: a log that lost only its beginning in a
// power cut could not be told from one that was trimmed.
func (l *partitionLog) roll() error {
	sealed := l.active()
	if len(l.segments) == 1 {
		if err := l.syncFolder(); err != nil {
			return l.writeError(err)
		}
	}
	if err := l.flushActive(sealed); err != nil {
		return l.writeError(err)
	}
	if err := l.giveBack(sealed); err != nil {
		return l.writeError(err)
	}
	fresh, err := l.createSegment(l.end)
	if err != nil {
		return l.writeError(err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.segments = append(l.segments[:len(l.segments):len(l.segments)], fresh)
	l.tail = &tail{}
	l.renamed++
	return nil
}

// giveBack cuts off what was allocated ahead.
func (l *partitionLog) giveBack(s *segment) error {
	if !s.preallocated {
		return nil
	}
	if err := s.file.truncate(s.size); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	s.preallocated = false
	s.written++
	return nil
}

// writeError says what stands in the way for now, in which case the log is as it
// was and the append can be tried again, or closes the log.
func (l *partitionLog) writeError(err error) error {
	switch {
	case diskFull(err):
		return storage.ErrFull.With("%s: %v", l.path, err)
	case noDescriptor(err):
		return storage.ErrNoDescriptor.With("%s: %v", l.path, err)
	}
	return l.fail(err)
}
