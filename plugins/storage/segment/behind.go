package segment

import (
	"errors"
	"time"
)

// retryIndexes is between two tries to write the indexes of sealed segments that
// a full disk has no room for.
const retryIndexes = 30 * time.Second

// lacksIndexes says that the segment, a sealed one, has an index that is not in
// its file. One without batches needs none.
func (s *segment) lacksIndexes() bool {
	return s.size > 0 && (s.offsets.dirty() || s.times.dirty())
}

// recallIndexes takes the indexes of a sealed segment back into memory: opening
// makes them anew if they are not there, and takes them for whole if they are.
func (s *segment) recallIndexes() error {
	s.unsyncedIndexes = false
	return errors.Join(s.offsets.recall(), s.times.recall())
}

// behind reports whether a sealed segment lacks an index that it can still get.
func (l *partitionLog) behind() bool {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if l.failure != nil {
		return false
	}
	for _, s := range l.segments[:len(l.segments)-1] {
		if s.lacksIndexes() {
			return true
		}
	}
	return false
}

// catchUp writes the indexes that sealed segments lack, if there is room now. A
// log that cannot be written to keeps them in memory.
func (l *partitionLog) catchUp() error {
	l.shape.RLock()
	defer l.shape.RUnlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed || l.failure != nil || l.dir.failed() != nil {
		return nil
	}
	for _, s := range l.segments[:len(l.segments)-1] {
		if !s.lacksIndexes() {
			continue
		}
		err := s.flushIndexes(true)
		if err == nil {
			continue
		}
		if recallErr := s.recallIndexes(); recallErr != nil || !diskFull(err) {
			return errors.Join(err, recallErr)
		}
		return nil
	}
	return nil
}

// catchUpLater has a log that is behind tried again until it is not. The caller
// holds d.mu. Nothing ticks once there was room, or an error that room does not
// mend.
func (d *directory) catchUpLater(l *partitionLog) {
	if d.stopped || !l.behind() {
		return
	}
	d.later(retryIndexes, func() {
		if d.failed() != nil {
			return
		}
		if err := l.catchUp(); err != nil {
			l.log.Warn("indexes cannot be written and stay in memory", "error", d.diskError(err))
			return
		}
		d.mu.Lock()
		defer d.mu.Unlock()
		if state := d.logs[partitionOf(l.id)]; state != nil && state.open == l {
			d.catchUpLater(l)
		}
	})
}
