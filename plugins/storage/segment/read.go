package segment

import (
	"context"
	"errors"
	"slices"

	"odradek.dev/sdk/storage"
)

// Read implements [storage.Log].
func (l *partitionLog) Read(_ context.Context, r storage.Read) (storage.Chunk, error) {
	chunk, remade, err := l.read(r)
	l.adoptTimes(remade)
	return chunk, err
}

// read also returns the views of segments whose time indexes were made anew.
func (l *partitionLog) read(r storage.Read) (chunk storage.Chunk, remade []view, err error) {
	l.shape.RLock()
	defer l.shape.RUnlock()
	l.mu.RLock()
	if err := l.inRange(r.Offset); err != nil {
		l.mu.RUnlock()
		return chunk, nil, err
	}
	segments := l.segments
	begin := r.Offset
	if r.PastDamage {
		begin = pastDamage(segments, begin)
	}
	if begin >= l.end {
		l.mu.RUnlock()
		return chunk, nil, nil
	}
	at := segmentAt(segments, begin)
	v := l.viewOf(segments[at], begin, r.Before)
	l.mu.RUnlock()

	left := r.MaxBytes
	v.past = r.PastDamage
	for offset := begin; ; at++ {
		extent, more, err := v.extent(offset, r.Before, left, len(chunk.Extents) == 0)
		l.learn(&v)
		if v.remade {
			remade = append(remade, v)
		}
		if errors.Is(err, storage.ErrCorrupt) && len(chunk.Extents) > 0 {
			return chunk, remade, nil // who reads on is told
		}
		if err != nil {
			return storage.Chunk{}, remade, l.dir.diskError(err)
		}
		if extent.Length > 0 {
			chunk.Extents = append(chunk.Extents, extent)
			left -= extent.Length
		}
		if !more || left <= 0 || at+1 >= len(segments) || segments[at+1].base >= r.Before {
			return chunk, remade, nil
		}
		offset = segments[at+1].base
		l.mu.RLock()
		v = l.viewOf(segments[at+1], offset, r.Before)
		l.mu.RUnlock()
		v.past = r.PastDamage && len(chunk.Extents) == 0
	}
}

// inRange checks an offset to read from. The caller holds l.mu.
func (l *partitionLog) inRange(offset int64) error {
	if l.closed {
		return l.closedError()
	}
	if offset < l.start || offset > l.end {
		return storage.ErrOffsetOutOfRange.With("%s: offset %d, the log has %d to %d", l.path, offset, l.start, l.end)
	}
	return nil
}

// pastDamage is offset, or the first one behind the damage that it is in.
func pastDamage(segments []*segment, offset int64) int64 {
	for {
		s := segments[segmentAt(segments, offset)]
		in := slices.IndexFunc(s.damage, func(d damage) bool { return d.first <= offset && offset < d.next })
		if in < 0 {
			return offset
		}
		offset = s.damage[in].next
	}
}

// extent is the run of bytes from the batch that holds offset. first says that
// the batch must be whole however few bytes are asked for. more says that the
// run goes on in the next segment.
func (v *view) extent(offset, before, limit int64, first bool) (e storage.Extent, more bool, err error) {
	begin, err := v.begin(offset)
	if err != nil || !begin.ok || begin.base >= before {
		return e, err == nil && !begin.ok, err
	}
	end, more, err := v.stop(begin, before)
	if err != nil {
		return e, false, err
	}
	length := end - begin.position
	if first {
		limit = max(limit, begin.end-begin.position)
	}
	if length > limit {
		length, more = limit, false
	}
	return storage.Extent{File: storage.File{ID: v.id, Path: v.file.path}, Position: begin.position, Length: length}, more, nil
}

// begin finds the batch to begin with. It may be behind damage only if the read
// is to go on there.
func (v *view) begin(offset int64) (place, error) {
	if v.first.ok && v.first.base <= offset {
		return v.first, nil
	}
	b, around, ok, err := v.find(offset)
	if err == nil && !ok && around == (damage{}) {
		if d, damaged, lackErr := v.lacks(offset); damaged || lackErr != nil {
			around, err = d, lackErr
		}
	}
	if err == nil && around.holds(offset) && !v.past {
		err = around.error(v.file.path)
	}
	return place{b.base, b.position, b.end(), ok}, err
}

// stop is where the run that begins ends: at damage, at the first batch whose
// base offset is at least before, or at the end of the segment, in which case
// more is true.
func (v *view) stop(begin place, before int64) (end int64, more bool, err error) {
	if at, ok := v.damageBehind(begin, before); ok {
		return at, false, nil
	}
	if before >= v.next {
		end, more, err = v.size, true, v.look()
	} else {
		end, err = v.stopBefore(before)
	}
	if at, ok := v.damageBehind(begin, before); ok && err == nil {
		return min(at, end), false, nil
	}
	return end, more, err
}

// damageBehind is where the first damage begins that a run would go over.
func (v *view) damageBehind(begin place, before int64) (at int64, ok bool) {
	for _, d := range v.damage {
		if d.from >= begin.position && d.first <= before {
			return d.from, true
		}
	}
	return 0, false
}

// stopBefore is where the first batch begins whose base offset is at least
// before.
func (v *view) stopBefore(before int64) (int64, error) {
	limit := v.limit
	if !limit.ok {
		b, around, ok, err := v.find(before)
		if around.holds(before) {
			return around.from, err
		}
		if err != nil || !ok {
			return v.size, err
		}
		limit = place{b.base, b.position, b.end(), true}
	}
	if limit.base < before {
		return limit.end, nil
	}
	return limit.position, nil
}
