package memory

import (
	"context"
	"sort"

	"odradek.dev/sdk/storage"
)

// Read implements [storage.Log].
func (l *partitionLog) Read(_ context.Context, r storage.Read) (storage.Chunk, error) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	var chunk storage.Chunk
	if err := l.usable(); err != nil {
		return chunk, err
	}
	if r.Offset < l.start || r.Offset > l.end {
		return chunk, storage.ErrOffsetOutOfRange.With("offset %d, the log has %d to %d", r.Offset, l.start, l.end)
	}
	left := r.MaxBytes
	for _, s := range l.segments[segmentAt(l.segments, r.Offset):] {
		first := sort.Search(len(s.batches), func(i int) bool { return s.batches[i].next > r.Offset })
		stop := sort.Search(len(s.batches), func(i int) bool { return s.batches[i].base >= r.Before })
		if first >= stop {
			continue
		}
		if len(chunk.Extents) == 0 {
			left = max(left, int64(s.batches[first].end-s.batches[first].position))
		}
		data := s.data[s.batches[first].position:s.batches[stop-1].end]
		data = data[:min(int64(len(data)), left):min(int64(len(data)), left)]
		if len(data) == 0 {
			break
		}
		chunk.Extents = append(chunk.Extents, storage.Extent{Length: int64(len(data)), Data: data})
		left -= int64(len(data))
	}
	return chunk, nil
}

// SeekTime implements [storage.Log].
func (l *partitionLog) SeekTime(_ context.Context, ms, before int64) (at storage.Position, ok bool, err error) {
	err = l.each(before, func(b batch) bool {
		if b.timestamp >= ms {
			at, ok = storage.Position{BaseOffset: b.base, Timestamp: b.timestamp}, true
		}
		return !ok
	})
	return at, ok, err
}

// MaxTime implements [storage.Log].
func (l *partitionLog) MaxTime(_ context.Context, before int64) (at storage.Position, ok bool, err error) {
	err = l.each(before, func(b batch) bool {
		if !ok || b.timestamp > at.Timestamp {
			at, ok = storage.Position{BaseOffset: b.base, Timestamp: b.timestamp}, true
		}
		return true
	})
	return at, ok, err
}

// each visits the batches from the start offset to before, while visit
// returns true.
func (l *partitionLog) each(before int64, visit func(batch) bool) error {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if err := l.usable(); err != nil {
		return err
	}
	for _, s := range l.segments {
		for _, b := range s.batches {
			if b.base >= before {
				return nil
			}
			if b.next > l.start && !visit(b) {
				return nil
			}
		}
	}
	return nil
}
