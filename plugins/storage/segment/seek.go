package segment

import (
	"context"

	"odradek.dev/sdk/storage"
)

// SeekTime implements [storage.Log].
func (l *partitionLog) SeekTime(_ context.Context, ms, before int64) (storage.Position, bool, error) {
	return l.seek(func(views []view, start int64) (at storage.Position, ok bool, err error) {
		for i := range views {
			v := &views[i]
			if v.base >= before {
				return at, false, nil
			}
			at, ok, err = v.seekTime(ms, before, start)
			if ok || err != nil {
				return at, ok, err
			}
		}
		return at, false, nil
	})
}

// MaxTime implements [storage.Log].
func (l *partitionLog) MaxTime(_ context.Context, before int64) (storage.Position, bool, error) {
	return l.seek(func(views []view, start int64) (largest storage.Position, found bool, err error) {
		for i := range views {
			v := &views[i]
			if v.base >= before {
				break
			}
			at, ok, err := v.maxTime(before, start)
			if err != nil {
				return largest, false, err
			}
			if ok && (!found || at.Timestamp > largest.Timestamp) {
				largest, found = at, true
			}
		}
		return largest, found, nil
	})
}

func (l *partitionLog) seek(find func([]view, int64) (storage.Position, bool, error)) (storage.Position, bool, error) {
	var at storage.Position
	ok := false
	err := l.survey(func(views []view, start, _ int64) (err error) {
		at, ok, err = find(views, start)
		return err
	})
	return at, ok, err
}

// survey has use look at all segments, and keeps what it finds out of them.
func (l *partitionLog) survey(use func(views []view, start, end int64) error) error {
	views, err := l.lookAt(use)
	l.adoptTimes(views)
	return err
}

func (l *partitionLog) lookAt(use func(views []view, start, end int64) error) ([]view, error) {
	l.shape.RLock()
	defer l.shape.RUnlock()
	l.mu.RLock()
	if l.closed {
		defer l.mu.RUnlock()
		return nil, l.closedError()
	}
	views, start, end := make([]view, len(l.segments)), l.start, l.end
	for i, s := range l.segments {
		views[i] = view{segment: *s, origin: s, interval: l.config.IndexIntervalBytes}
	}
	l.mu.RUnlock()
	err := use(views, start, end)
	for i := range views {
		l.learn(&views[i])
	}
	return views, l.dir.diskError(err)
}

// seekTime goes through the batches from the last one of which the time index
// says that all before it are older.
func (v *view) seekTime(ms, before, start int64) (at storage.Position, ok bool, err error) {
	if err := v.look(); err != nil || v.largest < ms {
		return at, false, err
	}
	entry, below, err := v.floorTime(func(e timeEntry) bool { return e.timestamp >= ms })
	if err != nil {
		return at, false, err
	}
	from := v.base
	if below {
		from = max(from, v.base+int64(entry.offset))
	}
	err = v.each(max(from, start), before, func(b batchAt) bool {
		if b.timestamp >= ms {
			at, ok = storage.Position{BaseOffset: b.base, Timestamp: b.timestamp}, true
		}
		return !ok
	})
	return at, ok, err
}

// maxTime begins, if the segment goes on beyond before, at the newest entry of the time index below before, which
// stands for all the batches up to it.
func (v *view) maxTime(before, start int64) (at storage.Position, ok bool, err error) {
	from := max(v.base, start)
	if v.next <= before {
		if err := v.look(); err != nil {
			return at, false, err
		}
		if v.largest >= 0 && v.largestAt >= from {
			b, ok, err := v.locate(v.largestAt)
			return storage.Position{BaseOffset: b.base, Timestamp: b.timestamp}, ok, err
		}
	}
	entry, below, err := v.floorTime(func(e timeEntry) bool { return v.base+int64(e.offset) >= before })
	if err != nil {
		return at, false, err
	}
	if below && v.base+int64(entry.offset) >= from {
		from = v.base + int64(entry.offset)
	}
	err = v.each(from, before, func(b batchAt) bool {
		if !ok || b.timestamp > at.Timestamp {
			at, ok = storage.Position{BaseOffset: b.base, Timestamp: b.timestamp}, true
		}
		return true
	})
	return at, ok, err
}

// each calls visit with the batches from the one that holds offset to the last
// one with a base offset below before, while it returns true.
func (v *view) each(offset, before int64, visit func(batchAt) bool) error {
	_, err := v.through(offset, func(b batchAt) bool { return b.base < before && visit(b) })
	return err
}
