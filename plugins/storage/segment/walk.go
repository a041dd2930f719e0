package segment

import (
	"errors"
	"io"
	"sync"

	"odradek.dev/sdk/record"
	"odradek.dev/sdk/storage"
)

// batchAt is one batch in a segment, known by its header.
type batchAt struct {
	base, next     int64
	position, size int64
	timestamp      int64
	epoch          int32
}

func (b batchAt) end() int64 { return b.position + b.size }

// headerOf reads a header. ok is false if it cannot be that of a batch at
// position in a file of size bytes whose batches before it end at from.
func headerOf(b []byte, position, size, from int64) (found batchAt, ok bool) {
	if len(b) < record.HeaderSize {
		return found, false
	}
	h := record.Batch(b)
	found = batchAt{
		base: h.BaseOffset(), next: h.LastOffset() + 1, position: position, size: int64(h.Size()),
		timestamp: h.MaxTimestamp(), epoch: h.LeaderEpoch(),
	}
	return found, h.Magic() == 2 && found.size >= record.HeaderSize && found.end() <= size &&
		found.base >= from && h.LastOffsetDelta() >= 0 && found.next > found.base
}

// walkBuffer holds many small headers, so that they cost one read together.
const walkBuffer = 4096

var walkBuffers = sync.Pool{New: func() any { return new([walkBuffer]byte) }}

// walker goes from header to header in one segment, over what is damaged.
// It sees the segment as it was when it was made.
type walker struct {
	file *cachedFile
	// size bounds the walk; position is the next batch's.
	size, position int64
	// from is the lowest base offset that the next batch can have.
	from      int64
	damage    []damage
	buffer    *[walkBuffer]byte
	held      []byte
	heldAt    int64
	readBytes int64
}

func (s *segment) walk(position, from int64) walker {
	return walker{file: s.file, size: s.size, position: position, from: from, damage: s.damage,
		buffer: walkBuffers.Get().(*[walkBuffer]byte)}
}

// done gives the buffer back.
func (w *walker) done() { walkBuffers.Put(w.buffer) }

// next returns the batch at the position; ok is false at the end.
func (w *walker) next() (b batchAt, ok bool, err error) {
	for _, d := range w.damage {
		if d.from <= w.position && w.position < d.to {
			w.position, w.from = d.to, d.next
		}
	}
	if w.position >= w.size {
		return b, false, nil
	}
	header, err := w.header()
	if err != nil {
		return b, false, err
	}
	b, ok = headerOf(header, w.position, w.size, w.from)
	if !ok {
		return b, false, storage.ErrCorrupt.With("%s: no batch at position %d", w.file.path, w.position)
	}
	w.position, w.from = b.end(), b.next
	return b, true, nil
}

// header returns the bytes at the position, fewer than a header at the end.
func (w *walker) header() ([]byte, error) {
	if skip := w.position - w.heldAt; skip >= 0 && skip+record.HeaderSize <= int64(len(w.held)) {
		return w.held[skip:], nil
	}
	want := min(walkBuffer, w.size-w.position)
	n, err := w.file.readSome(w.buffer[:want], w.position)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	w.readBytes += int64(n)
	w.held, w.heldAt = w.buffer[:n], w.position
	return w.held, nil
}
