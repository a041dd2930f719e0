package segment

import (
	"context"
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
	if start <= l.start {
		return nil
	}
	if start > l.end {
		return l.restartAt(start)
	}
	l.mu.Lock()
	l.start = start
	l.mu.Unlock()
	at := segmentAt(l.segments, start)
	if l.segments[at].base < start {
		if err := l.dir.writeStarts(); err != nil {
			return l.fail(err)
		}
	}
	return l.removeBefore(at)
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
	if err := l.dir.files.SyncDir(l.path); err != nil {
		return l.fail(err)
	}
	return l.removeBefore(len(l.segments) - 1)
}

// removeBefore removes the first at segments, and what belongs to them. Their
// states go but for the newest one, which a producer that has been idle since
// may be in.
func (l *partitionLog) removeBefore(at int) error {
	if err := l.drop(l.segments[:at], l.segments[at:]); err != nil {
		return l.fail(err)
	}
	if err := l.epochs.cutStart(l.start); err != nil {
		return l.fail(err)
	}
	first := l.segments[0].base
	newest, ok, err := l.newestState(first)
	if err == nil && ok {
		err = l.dropStates(func(offset int64) bool { return offset < newest })
	}
	if err != nil {
		return l.fail(err)
	}
	return nil
}
