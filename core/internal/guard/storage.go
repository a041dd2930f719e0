package guard

import (
	"context"

	"odradek.dev/sdk/module"
	"odradek.dev/sdk/storage"
)

// engine counts and times a storage engine's calls. There is no fallback: an
// error goes to the host, which takes the log offline.
type engine struct {
	storage.Engine
	meter *meter
}

func (e *engine) Mount(ctx context.Context, m storage.Mount) (storage.Mounted, error) {
	began := e.meter.begin()
	mounted, err := e.Engine.Mount(ctx, m)
	e.meter.end(began)
	return mounted, e.meter.unlessInvalid(err)
}

func (e *engine) Open(ctx context.Context, o storage.Open) (storage.Log, storage.Recovery, error) {
	began := e.meter.begin()
	log, recovery, err := e.Engine.Open(ctx, o)
	e.meter.end(began)
	if err != nil {
		return nil, recovery, e.meter.unlessInvalid(err)
	}
	return &meteredLog{Log: log, meter: e.meter}, recovery, nil
}

func (e *engine) Remove(ctx context.Context, dir string, id storage.ID) error {
	began := e.meter.begin()
	err := e.Engine.Remove(ctx, dir, id)
	e.meter.end(began)
	return e.meter.unlessInvalid(err)
}

// meteredLog counts the calls of the data path, and times some of them.
type meteredLog struct {
	storage.Log
	meter *meter
}

func (l *meteredLog) Append(ctx context.Context, a storage.Append) (storage.Appended, error) {
	began := l.meter.beginSampled()
	appended, err := l.Log.Append(ctx, a)
	l.meter.endSampled(began)
	return appended, l.meter.unlessInvalid(err)
}

func (l *meteredLog) Read(ctx context.Context, r storage.Read) (storage.Chunk, error) {
	began := l.meter.beginSampled()
	chunk, err := l.Log.Read(ctx, r)
	l.meter.endSampled(began)
	return chunk, l.meter.unlessInvalid(err)
}

func (l *meteredLog) Sync(ctx context.Context) (int64, error) {
	began := l.meter.begin()
	durable, err := l.Log.Sync(ctx)
	l.meter.end(began)
	return durable, l.meter.unlessInvalid(err)
}

func (l *meteredLog) Trim(ctx context.Context, start int64) error {
	began := l.meter.begin()
	err := l.Log.Trim(ctx, start)
	l.meter.end(began)
	return l.meter.unlessInvalid(err)
}

func (l *meteredLog) Roll(ctx context.Context) (int64, error) {
	began := l.meter.begin()
	rolled, err := l.Log.Roll(ctx)
	l.meter.end(began)
	return rolled, l.meter.unlessInvalid(err)
}

// Rewrite is not counted as a failure of the module if it has no such
// capability.
func (l *meteredLog) Rewrite(ctx context.Context, r storage.Rewrite) error {
	began := l.meter.begin()
	err := l.Log.Rewrite(ctx, r)
	l.meter.end(began)
	return l.meter.unlessInvalid(err)
}

// Segments is checked: what it says decides which records are removed.
func (l *meteredLog) Segments(ctx context.Context) ([]storage.Segment, error) {
	began := l.meter.begin()
	segments, err := l.Log.Segments(ctx)
	l.meter.end(began)
	if err == nil {
		err = checkSegments(segments)
	}
	if err != nil {
		return nil, l.meter.unlessInvalid(err)
	}
	return segments, nil
}

func checkSegments(segments []storage.Segment) error {
	if len(segments) == 0 {
		return module.Fatalf("log has no segment")
	}
	for i, s := range segments {
		if s.Bytes < 0 || s.End < s.Base {
			return module.Fatalf("log has a segment from %d to %d of %d bytes", s.Base, s.End, s.Bytes)
		}
		if i > 0 && s.Base != segments[i-1].End {
			return module.Fatalf("log has a segment at %d after one that ends at %d", s.Base, segments[i-1].End)
		}
	}
	return nil
}

// unlessInvalid counts err, but for what the caller asked in vain.
func (m *meter) unlessInvalid(err error) error {
	if err != nil && module.ClassOf(err) != module.Invalid {
		m.fail(err)
	}
	return err
}
