package memory

import (
	"context"

	"odradek.dev/sdk/storage"
)

// Segments implements [storage.Log].
func (l *partitionLog) Segments(context.Context) ([]storage.Segment, error) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if err := l.usable(); err != nil {
		return nil, err
	}
	all := make([]storage.Segment, len(l.segments))
	for i, s := range l.segments {
		all[i] = storage.Segment{Base: s.base, End: l.end, Bytes: int64(len(s.data)), MaxTimestamp: s.lastTimestamp()}
		if i+1 < len(l.segments) {
			all[i].End = l.segments[i+1].base
		}
	}
	return all, nil
}

func (s *segment) lastTimestamp() int64 {
	largest := int64(-1)
	for _, b := range s.batches {
		largest = max(largest, b.timestamp)
	}
	if largest < 0 && len(s.batches) > 0 {
		return s.written
	}
	return largest
}

// Roll implements [storage.Log].
func (l *partitionLog) Roll(context.Context) (int64, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.usable(); err != nil || len(l.active().batches) == 0 {
		return -1, err
	}
	return l.roll(), nil
}

// roll begins a segment at the end. The caller holds mu.
func (l *partitionLog) roll() int64 {
	l.segments = append(l.segments, &segment{base: l.end})
	return l.end
}
