package segment

import (
	"context"
	"path/filepath"
	"slices"
)

// Trim implements [storage.Log]. A start that the name of a segment does not
// tell is in log-start-offset-checkpoint before anything is removed.
func (l *partitionLog) Trim(_ context.Context, start int64) error {
	if err := l.writable(); err != nil {
		return err
	}
	l.shape.Lock()
	defer l.shape.Unlock()
	if start > l.end {
		return l.restartAt(start)
	}
	at := segmentAt(l.segments, start)
	if start < l.start || start == l.start && at == 0 {
		return nil
	}
	if err := l.raiseStart(start, l.segments[at].base < start); err != nil {
		return err
	}
	return l.removeBefore(at)
}

// raiseStart has the new start on the disk if it lies within a segment. On a
// full disk the start stays as it was.
func (l *partitionLog) raiseStart(start int64, within bool) error {
	before := l.start
	l.setStart(start)
	if !within {
		return nil
	}
	err := l.dir.writeStarts()
	if err != nil && diskFull(err) {
		l.setStart(before)
	}
	if err != nil {
		return l.writeError(err)
	}
	return nil
}

func (l *partitionLog) setStart(start int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.start = start
}

// restartAt empties the log and begins it anew above its end.
func (l *partitionLog) restartAt(start int64) error {
	fresh, err := l.createSegment(start)
	if err != nil {
		return l.writeError(err)
	}
	l.mu.Lock()
	l.segments = append(slices.Clone(l.segments), fresh)
	l.start, l.durable, l.end = start, start, start
	l.tail, l.began = nil, -1
	l.renamed++
	l.mu.Unlock()
	if err := l.dir.writeStarts(); err != nil {
		return l.fail(err)
	}
	return l.removeBefore(len(l.segments) - 1)
}

// removeBefore removes the first at segments, and what belongs to them. Their
// states go but for the newest one, which a producer that has been idle since
// may be in.
func (l *partitionLog) removeBefore(at int) error {
	if at > 0 {
		// The segment that the log begins with then is there for good, before
		// those that tell where it has been go.
		if err := l.syncFolder(); err != nil {
			return l.fail(err)
		}
	}
	if err := l.drop(l.segments[:at], l.segments[at:]); err != nil {
		return l.fail(err)
	}
	// A full disk is what segments are removed for: the epochs' file may be
	// behind then, until the next change of it.
	if err := l.epochs.cutStart(l.start); err != nil && !diskFull(err) {
		return l.fail(err)
	}
	if err := l.dropStatesBefore(l.segments[0].base); err != nil {
		return l.fail(err)
	}
	return nil
}

// dropStatesBefore removes the states below base but for the newest, which is
// on the disk before: it cannot be made from batches any more.
func (l *partitionLog) dropStatesBefore(base int64) error {
	newest, ok, err := l.newestState(base)
	if err != nil || !ok {
		return err
	}
	if slices.Contains(l.unsyncedStates, newest) {
		if err := syncFile(l.dir.files, filepath.Join(l.path, offsetName(newest, snapshotSuffix))); err != nil {
			return err
		}
	}
	return l.dropStates(func(offset int64) bool { return offset < newest })
}
