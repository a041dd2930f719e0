package segment

import (
	"errors"
	"io"
	"sync"

	"odradek.dev/sdk/record"
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
// position in a file of size bytes.
func headerOf(b []byte, position, size int64) (found batchAt, ok bool) {
	if len(b) < record.HeaderSize {
		return found, false
	}
	h := record.Batch(b)
	found = batchAt{
		base: h.BaseOffset(), next: h.LastOffset() + 1, position: position, size: int64(h.Size()),
		timestamp: h.MaxTimestamp(), epoch: h.LeaderEpoch(),
	}
	return found, h.Magic() == 2 && found.size >= record.HeaderSize && found.end() <= size &&
		h.LastOffsetDelta() >= 0 && found.next > found.base
}

// walkBuffer holds many small headers, so that they cost one read together.
const walkBuffer = 4096

var walkBuffers = sync.Pool{New: func() any { return new([walkBuffer]byte) }}

// walker goes from header to header in one segment, over what is damaged.
// It sees the segment as it was when it was made.
type walker struct {
	file *cachedFile
	// base is the segment's base offset.
	base int64
	// size bounds the walk; position is the next batch's.
	size, position int64
	// from is the lowest base offset that the next batch can have, and limit the
	// offset that no batch reaches, 0 if that is not known.
	from, limit int64
	// damage is what is passed over, ascending, and found what of it the walk has
	// come upon itself.
	damage, found []damage
	// prior is the batch before position, of size 0 if the walk has not seen it.
	prior batchAt
	// passed is the last batches that were passed over because of their base
	// offsets.
	passed damage
	// strict makes an error of bytes that are no batch, instead of damage.
	strict bool
	// trusting takes a batch that does not begin at from without a look at the
	// one behind it.
	trusting  bool
	buffer    *[walkBuffer]byte
	held      []byte
	heldAt    int64
	readBytes int64
}

func (s *segment) walk(position, from int64) walker {
	return walker{file: s.file, base: s.base, size: s.size, position: position, from: from, limit: s.next, damage: s.damage,
		buffer: walkBuffers.Get().(*[walkBuffer]byte)}
}

// done gives the buffer back.
func (w *walker) done() { walkBuffers.Put(w.buffer) }

// next returns the batch at the position; ok is false at the end. It passes over
// batches whose base offsets are impossible, since the CRC does not cover those,
// and over what is no batch.
func (w *walker) next() (b batchAt, ok bool, err error) {
	for {
		for _, d := range w.damage {
			if d.from <= w.position && w.position < d.to {
				w.position, w.from = d.to, d.next
			}
		}
		if w.position >= w.size {
			return b, false, nil
		}
		b, ok, err = w.at(w.position)
		if err != nil {
			return b, false, err
		}
		if ok {
			if ok, err = w.fits(b); err != nil {
				return b, false, err
			}
		} else {
			b = batchAt{}
		}
		if ok {
			w.position, w.from, w.prior = b.end(), b.next, b
			return b, true, nil
		}
		if err := w.goAround(b); err != nil {
			return b, false, err
		}
	}
}

// fits reports whether a batch can have its base offset. One that leaves a gap
// can if the batch behind it goes on from it.
func (w *walker) fits(b batchAt) (bool, error) {
	switch {
	case b.base < w.from || w.limit > 0 && b.next > w.limit:
		return false, nil
	case b.base == w.from:
		return true, nil
	case w.trusting || b.end() >= w.size:
		return true, nil
	}
	behind, ok, err := w.at(b.end())
	return err != nil || !ok || behind.base >= b.next || behind.base < w.from, err
}

// passOver goes to the batch behind b, up to which the offsets are lost.
func (w *walker) passOver(b batchAt) error {
	next := max(w.from, w.limit)
	if b.end() < w.size {
		behind, ok, err := w.at(b.end())
		if err != nil {
			return err
		}
		if next = w.from; ok && (w.limit == 0 || behind.next <= w.limit) {
			next = max(next, behind.base)
		}
	}
	if w.passed.to != b.position || w.passed.to == 0 {
		w.passed = damage{from: b.position, first: w.from}
	}
	w.passed.to, w.passed.next = b.end(), next
	w.position, w.from = b.end(), next
	return nil
}

// at reads the header at a position; ok is false if there is none.
func (w *walker) at(position int64) (b batchAt, ok bool, err error) {
	header, err := w.header(position)
	if err != nil {
		return b, false, err
	}
	b, ok = headerOf(header, position, w.size)
	return b, ok, nil
}

// header returns the bytes at a position, fewer than a header at the end.
func (w *walker) header(position int64) ([]byte, error) {
	if skip := position - w.heldAt; skip >= 0 && skip+record.HeaderSize <= int64(len(w.held)) {
		return w.held[skip:], nil
	}
	want := min(walkBuffer, w.size-position)
	n, err := w.file.readSome(w.buffer[:want], position)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	w.readBytes += int64(n)
	w.held, w.heldAt = w.buffer[:n], position
	return w.held, nil
}
