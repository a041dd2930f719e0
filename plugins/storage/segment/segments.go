package segment

import (
	"context"
	"errors"
	"io/fs"

	"odradek.dev/sdk/storage"
)

// Segments implements [storage.Log].
func (l *partitionLog) Segments(context.Context) ([]storage.Segment, error) {
	var all []storage.Segment
	err := l.survey(func(views []view, _, end int64) error {
		all = make([]storage.Segment, len(views))
		for i := range views {
			v := &views[i]
			all[i] = storage.Segment{Base: v.base, End: end, Bytes: v.size, MaxTimestamp: -1}
			active := i+1 == len(views)
			if !active {
				all[i].End = views[i+1].base
			}
			if active && v.size == 0 {
				continue
			}
			var err error
			if all[i].MaxTimestamp, err = v.lastTimestamp(); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

// lastTimestamp falls back to the file's own time for batches without any, as
// Kafka does. A segment whose batches are lost is as old as its time index says.
func (v *view) lastTimestamp() (int64, error) {
	if err := v.look(); err != nil || v.largest >= 0 {
		return v.largest, err
	}
	if v.size == 0 {
		if entry, ok, err := v.times.newest(); ok || err != nil {
			return entry.timestamp, err
		}
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
