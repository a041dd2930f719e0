package memory

import (
	"context"
	"slices"
	"sort"
	"sync"

	"odradek.dev/sdk/module"
	"odradek.dev/sdk/record"
	"odradek.dev/sdk/storage"
)

// partitionLog is one opening of a log.
type partitionLog struct {
	id storage.ID

	mu     sync.RWMutex
	closed bool
	config storage.Config
	rewriting
	content
}

// content is what a log holds; it goes from one opening to the next.
type content struct {
	// batches ascend, with gaps only from a rewrite. Those of one segment lie in one buffer,
	// which grows by appending: what a reader holds of it does not change.
	segments            []*segment
	start, durable, end int64
	epochs              []storage.EpochStart
	states              []state
	hard                []byte
	compacted           int64
}

// segment is a run of batches. Segments roll as those on a disk do, so that
// trimming gives memory back and producer state is kept at the same offsets.
type segment struct {
	base int64
	// began and written are the broker's time of the first and the last append.
	began, written int64
	data           []byte
	batches        []batch
}

// batch is one batch in a segment's data: up to, but not including, end.
type batch struct {
	base, next, timestamp int64
	position, end         int
}

type state struct {
	offset int64
	bytes  []byte
}

// segmentMax bounds what growing a segment's buffer copies, whatever
// segment.bytes is; one append may still be larger.
const segmentMax = 8 << 20

func newLog(id storage.ID) *partitionLog {
	return &partitionLog{id: id, content: content{segments: []*segment{{}}}}
}

// reopened is the log for another opening; a stop makes all durable.
func (l *partitionLog) reopened() *partitionLog {
	again := &partitionLog{id: l.id, content: l.content}
	again.durable = again.end
	return again
}

func (l *partitionLog) isOpen() bool {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return !l.closed
}

func (l *partitionLog) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
}

// Close implements [storage.Log].
func (l *partitionLog) Close(context.Context) error {
	l.close()
	return nil
}

// usable reports whether the log is open. The caller holds mu.
func (l *partitionLog) usable() error {
	if l.closed {
		return storage.ErrClosed.With("%s-%d", l.id.Topic, l.id.Partition)
	}
	return nil
}

func (l *partitionLog) active() *segment { return l.segments[len(l.segments)-1] }

// Append implements [storage.Log].
func (l *partitionLog) Append(_ context.Context, a storage.Append) (storage.Appended, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.usable(); err != nil {
		return storage.Appended{}, err
	}
	if err := l.inspect(a.Batches); err != nil {
		return storage.Appended{}, err
	}
	rolled := int64(-1)
	if s := l.active(); l.mustRoll(s, len(a.Batches), a.Now) {
		rolled = l.roll()
	}
	s := l.active()
	if len(s.batches) == 0 {
		s.began = a.Now
	}
	s.written = a.Now
	at := len(s.data)
	s.data = append(s.data, a.Batches...)
	for rest := a.Batches; len(rest) > 0; {
		b, after, _ := record.Next(rest)
		s.batches = append(s.batches, batch{b.BaseOffset(), b.LastOffset() + 1, b.MaxTimestamp(), at, at + b.Size()})
		l.begin(b.LeaderEpoch(), b.BaseOffset())
		l.end = b.LastOffset() + 1
		at, rest = at+b.Size(), after
	}
	return storage.Appended{End: l.end, Rolled: rolled}, nil
}

func (l *partitionLog) inspect(batches []byte) error {
	if len(batches) == 0 {
		return module.Invalidf("append has no batches")
	}
	if l.config.SegmentBytes > 0 && int64(len(batches)) > l.config.SegmentBytes {
		return storage.ErrTooLarge.With("%d bytes, segment.bytes is %d", len(batches), l.config.SegmentBytes)
	}
	next := l.end
	for rest := batches; len(rest) > 0; {
		b, after, ok := record.Next(rest)
		if !ok || b.LastOffsetDelta() < 0 {
			return module.Invalidf("append has no whole batch at byte %d", len(batches)-len(rest))
		}
		if b.BaseOffset() != next {
			return storage.ErrNotContiguous.With("batch at %d, expected %d", b.BaseOffset(), next)
		}
		next, rest = b.LastOffset()+1, after
	}
	return nil
}

func (l *partitionLog) mustRoll(s *segment, bytes int, now int64) bool {
	if len(s.batches) == 0 {
		return false
	}
	limit := int64(segmentMax)
	if l.config.SegmentBytes > 0 {
		limit = min(limit, l.config.SegmentBytes)
	}
	return int64(len(s.data)+bytes) > limit || l.config.SegmentMs > 0 && now-s.began > l.config.SegmentMs
}

// Bounds implements [storage.Log].
func (l *partitionLog) Bounds(context.Context) (storage.Bounds, error) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	b := storage.Bounds{Start: l.start, Durable: max(l.durable, l.start), End: l.end}
	for _, s := range l.segments {
		b.Bytes += int64(len(s.data))
	}
	return b, l.usable()
}

// Sync implements [storage.Log]. As durable as memory gets, it is at once.
func (l *partitionLog) Sync(context.Context) (int64, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.usable(); err != nil {
		return 0, err
	}
	l.durable = l.end
	return l.durable, nil
}

// Truncate implements [storage.Log].
func (l *partitionLog) Truncate(_ context.Context, offset int64) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.usable(); err != nil {
		return err
	}
	if offset < l.start || offset > l.end {
		return storage.ErrOffsetOutOfRange.With("truncation to %d, the log has %d to %d", offset, l.start, l.end)
	}
	if err := l.cut(offset); err != nil {
		return err
	}
	l.epochs = slices.DeleteFunc(slices.Clone(l.epochs), func(e storage.EpochStart) bool { return e.Start >= offset })
	l.states = slices.DeleteFunc(l.states, func(s state) bool { return s.offset > offset })
	return nil
}

func (l *partitionLog) cut(offset int64) error {
	at := segmentAt(l.segments, offset)
	s := l.segments[at]
	keep := sort.Search(len(s.batches), func(i int) bool { return s.batches[i].next > offset })
	if keep < len(s.batches) && s.batches[keep].base < offset {
		return module.Invalidf("truncation to %d, which lies inside the batch at %d", offset, s.batches[keep].base)
	}
	size := 0
	if keep > 0 {
		size = s.batches[keep-1].end
	}
	// Clipping has the next append go to other memory, so that extents handed
	// out before keep their bytes.
	kept := &segment{s.base, s.began, s.written, slices.Clip(s.data[:size]), slices.Clip(s.batches[:keep])}
	l.segments = append(slices.Clone(l.segments[:at]), kept)
	l.end = offset
	l.durable = min(l.durable, offset)
	return nil
}

// Trim implements [storage.Log].
func (l *partitionLog) Trim(_ context.Context, start int64) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.usable(); err != nil || start < l.start {
		return err
	}
	l.start = start
	if start > l.end {
		l.segments, l.end, l.durable = []*segment{{base: start}}, start, start
	} else {
		l.segments = slices.Clone(l.segments[segmentAt(l.segments, start):])
	}
	l.trimEpochs()
	l.trimStates()
	return nil
}

// segmentAt is the index of the segment that offset is in.
func segmentAt(segments []*segment, offset int64) int {
	return max(sort.Search(len(segments), func(i int) bool { return segments[i].base > offset })-1, 0)
}

// Configure implements [storage.Log].
func (l *partitionLog) Configure(_ context.Context, c storage.Config) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.config = c
	return l.usable()
}
