package partitiontest

import (
	"context"

	"odradek.dev/sdk/storage"
)

// Trim implements [storage.Log].
func (l *Log) Trim(_ context.Context, start int64) error {
	if l.engine.FailTrim != nil {
		if err := l.engine.FailTrim(); err != nil {
			return err
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.start = max(l.start, start)
	for len(l.bases) > 1 && l.bases[1] <= l.start {
		l.bases = l.bases[1:]
	}
	return nil
}

// Segments implements [storage.Log].
func (l *Log) Segments(context.Context) ([]storage.Segment, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, storage.ErrClosed
	}
	l.Listed++
	all := make([]storage.Segment, len(l.bases))
	for i, base := range l.bases {
		s := storage.Segment{Base: base, End: l.end, MaxTimestamp: -1}
		if i+1 < len(l.bases) {
			s.End = l.bases[i+1]
		}
		for _, b := range l.batches {
			if b.BaseOffset() >= s.Base && b.BaseOffset() < s.End {
				s.Bytes += int64(b.Size())
				s.MaxTimestamp = max(s.MaxTimestamp, b.MaxTimestamp())
			}
		}
		all[i] = s
	}
	return all, nil
}

// Roll implements [storage.Log].
func (l *Log) Roll(context.Context) (int64, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.bases[len(l.bases)-1] == l.end {
		return -1, nil
	}
	return l.roll(), nil
}

func (l *Log) roll() int64 {
	l.bases, l.inSegment = append(l.bases, l.end), 0
	return l.end
}
