package segment

import (
	"context"
	"errors"
	"io/fs"

	"odradek.dev/sdk/storage"
)

// Segments implements [storage.Log].
func (l *partitionLog) Segments(context.Context) ([]storage.Segment, error) {
	l.shape.RLock()
	defer l.shape.RUnlock()
	l.mu.RLock()
	if l.closed {
		defer l.mu.RUnlock()
		return nil, l.closedError()
	}
	views, end := make([]view, len(l.segments)), l.end
	for i, s := range l.segments {
		views[i] = view{segment: *s}
	}
	l.mu.RUnlock()
	all := make([]storage.Segment, len(views))
	for i := range views {
		v := &views[i]
		largest, err := v.lastTimestamp()
		if err != nil {
			return nil, l.dir.diskError(err)
		}
		all[i] = storage.Segment{Base: v.base, End: end, Bytes: v.size, MaxTimestamp: largest}
		if i+1 < len(views) {
			all[i].End = views[i+1].base
		}
	}
	return all, nil
}

// lastTimestamp falls back to the file's own time for batches without any, as
// Kafka does.
func (v *view) lastTimestamp() (int64, error) {
	largest, err := v.largestTimestamp()
	if err != nil || largest.timestamp >= 0 || v.size == 0 {
		return largest.timestamp, err
	}
	info, err := v.file.cache.files.Stat(v.file.path)
	switch {
	case errors.Is(err, fs.ErrNotExist) || err == nil && info.ModTime().IsZero():
		return -1, nil
	case err != nil:
		return -1, err
	}
	return info.ModTime().UnixMilli(), nil
}

// Roll implements [storage.Log].
func (l *partitionLog) Roll(context.Context) (int64, error) {
	if err := l.writable(); err != nil {
		return -1, err
	}
	if l.active().size == 0 {
		return -1, nil
	}
	if err := l.roll(); err != nil {
		return -1, err
	}
	return l.active().base, nil
}
