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
	l.shape.RLock()
	defer l.shape.RUnlock()
	l.mu.RLock()
	if l.closed {
		defer l.mu.RUnlock()
		return storage.Position{}, false, l.closedError()
	}
	start := l.start
	views := make([]view, len(l.segments))
	for i, s := range l.segments {
		views[i] = view{segment: *s}
	}
	l.mu.RUnlock()
	at, ok, err := find(views, start)
	return at, ok, l.dir.diskError(err)
}

// seekTime goes through the batches from the last one of which the time index
// says that all before it are older.
func (v *view) seekTime(ms, before, start int64) (at storage.Position, ok bool, err error) {
	largest, err := v.largestTimestamp()
	if err != nil || largest.timestamp < ms {
		return at, false, err
	}
	n, entry, err := v.times.search(func(e timeEntry) bool { return e.timestamp >= ms })
	if err != nil {
		return at, false, err
	}
	from := v.base
	if n > 0 {
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
		largest, err := v.largestTimestamp()
		if err != nil {
			return at, false, err
		}
		if last := v.base + int64(largest.offset); largest.timestamp >= 0 && last >= from {
			b, ok, err := v.locate(last)
			return storage.Position{BaseOffset: b.base, Timestamp: b.timestamp}, ok, err
		}
	}
	n, entry, err := v.times.search(func(e timeEntry) bool { return v.base+int64(e.offset) >= before })
	if err != nil {
		return at, false, err
	}
	if n > 0 && v.base+int64(entry.offset) >= from {
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
	first, err := v.floor(offset)
	if err != nil {
		return err
	}
	w := v.walk(first.position, first.base)
	defer w.done()
	for {
		b, ok, err := w.next()
		if err != nil || !ok || b.base >= before {
			return err
		}
		if b.next > offset && !visit(b) {
			return nil
		}
	}
}

// largestTimestamp is the segment's. A sealed segment's last time entry is it.
func (v *view) largestTimestamp() (timeEntry, error) {
	if v.loaded {
		return timeEntry{v.largest, int32(v.largestAt - v.base)}, nil
	}
	if v.times.stored == 0 {
		return timeEntry{timestamp: -1}, nil
	}
	return v.times.read(v.times.stored - 1)
}
