package segment

import (
	"context"
	"errors"
	"slices"
	"time"

	"odradek.dev/sdk/module"
	"odradek.dev/sdk/storage"
)

// Truncate implements [storage.Log]. The order is one in which a crash at any
// point leaves the log with a new end, or an old one, and no gap: first the
// recovery point comes down, then whole segments go from the end, then the
// last one is cut.
func (l *partitionLog) Truncate(_ context.Context, offset int64) error {
	if err := l.writable(); err != nil {
		return err
	}
	l.shape.Lock()
	defer l.shape.Unlock()
	if offset < l.start || offset > l.end {
		return storage.ErrOffsetOutOfRange.With("%s: truncation to %d, the log has %d to %d", l.path, offset, l.start, l.end)
	}
	if offset < l.end {
		if err := l.cutTo(offset); err != nil {
			return err
		}
	}
	if err := errors.Join(l.epochs.cutEnd(offset), l.dropStatesAbove(offset)); err != nil {
		return l.fail(err)
	}
	return nil
}

func (l *partitionLog) cutTo(offset int64) error {
	at := segmentAt(l.segments, offset)
	if l.segments[at].base == offset && at > 0 {
		at--
	}
	kept := l.segments[at]
	end, err := l.boundary(kept, offset)
	if err != nil {
		return err
	}
	l.mu.Lock()
	l.durable = min(l.durable, offset)
	l.tail = nil
	l.mu.Unlock()
	if err := l.dir.lowerRecoveryPoint(partitionOf(l.id), offset); err != nil {
		return l.fail(err)
	}
	gone := slices.Clone(l.segments[at+1:])
	slices.Reverse(gone)
	if err := l.drop(gone, l.segments[:at+1]); err != nil {
		return l.fail(err)
	}
	damaged := slices.ContainsFunc(append(gone, kept), func(s *segment) bool { return len(s.damage) > 0 })
	if err := l.shorten(kept, end, offset); err != nil {
		return l.fail(err)
	}
	if !damaged {
		return nil
	}
	if err := l.forgetDamage(); err != nil {
		return l.fail(err)
	}
	return nil
}

// boundary is the position of the batch that begins at offset.
func (l *partitionLog) boundary(s *segment, offset int64) (int64, error) {
	if offset <= s.base {
		return 0, nil
	}
	if offset >= s.next {
		return s.size, nil
	}
	v := view{segment: *s}
	b, ok, err := v.locate(offset)
	if err != nil {
		return 0, err
	}
	if ok && b.base != offset {
		return 0, module.Invalidf("%s: truncation to %d, which lies inside the batch at %d", l.path, offset, b.base)
	}
	return b.position, nil
}

// drop takes segments out of the log and renames their files, in the order
// given, each for good before the next: a crash leaves no gap between those
// that are left. The files are deleted later.
func (l *partitionLog) drop(gone, rest []*segment) error {
	if len(gone) == 0 {
		return nil
	}
	l.mu.Lock()
	l.segments = slices.Clone(rest)
	l.mu.Unlock()
	var paths []string
	for _, s := range gone {
		retired, err := s.retire()
		paths = append(paths, retired...)
		if err == nil {
			err = l.dir.files.SyncDir(l.path)
		}
		if err != nil {
			return err
		}
	}
	l.dir.deleteLater(time.Duration(l.config.FileDeleteDelayMs)*time.Millisecond, paths)
	return nil
}

// shorten cuts s, which is the last segment now, and makes it the active one.
func (l *partitionLog) shorten(s *segment, size, next int64) error {
	cut := *s
	if err := errors.Join(cut.file.truncate(size), cut.file.sync()); err != nil {
		return err
	}
	cut.size, cut.next, cut.preallocated = size, max(next, s.base), false
	cut.damage = slices.DeleteFunc(slices.Clone(s.damage), func(d damage) bool { return d.first >= next })
	from := int32(next - s.base)
	err := errors.Join(
		cut.offsets.cut(func(e offsetEntry) bool { return e.offset >= from }),
		cut.times.cut(func(e timeEntry) bool { return e.offset >= from }),
	)
	if err != nil {
		return err
	}
	if err := cut.loadEnd(); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.segments = append(slices.Clone(l.segments[:len(l.segments)-1]), &cut)
	cut.written++
	l.end, l.tail, l.began = cut.next, nil, -1
	return nil
}
