package segment

import (
	"odradek.dev/sdk/storage"
)

// tailLength is how many of the newest batches' positions are in memory.
const tailLength = 32

// tail is where the newest batches of the active segment are, so that a
// consumer at the end of the log needs no read to be served. A ring.
type tail struct {
	base, position [tailLength]int64
	// count goes up without end; the newest entry is at (count-1)%tailLength.
	count int
}

func (t *tail) add(base, position int64) {
	t.base[t.count%tailLength], t.position[t.count%tailLength] = base, position
	t.count++
}

// place is where one batch is: from position to end.
type place struct {
	base, position, end int64
	ok                  bool
}

// find returns the batch that holds offset, if the tail goes back as far. size
// is the end of the segment, and so of the newest batch.
func (t *tail) find(offset, size int64) place {
	end := size
	for i := t.count - 1; i >= 0 && i > t.count-1-tailLength; i-- {
		at := i % tailLength
		if t.base[at] <= offset {
			return place{t.base[at], t.position[at], end, true}
		}
		end = t.position[at]
	}
	return place{}
}

// view is a segment as it was at one moment, with which a reader goes on
// without holding appends up. Its files stay as long as the reader holds the
// log's shape.
type view struct {
	segment
	// origin is the segment that the view is of, nil if what is found out is not
	// to be kept.
	origin *segment
	// found is damage that was not known. looked says that what look is for was
	// found out, and remade that the time index was made anew.
	found          []damage
	looked, remade bool
	// interval is index.interval.bytes, for an index that is made anew.
	interval int64
	// first is the batch that holds the offset to read from, and limit the one
	// that holds the offset to read up to, if the tail knew them.
	first, limit place
	// past has a read of what is damaged begin behind it.
	past bool
}

// viewOf copies s for a read of offset and up to before. The caller holds l.mu.
func (l *partitionLog) viewOf(s *segment, offset, before int64) view {
	v := view{segment: *s, origin: s, interval: l.config.IndexIntervalBytes}
	if s != l.active() || l.tail == nil {
		return v
	}
	v.first = l.tail.find(offset, s.size)
	if before < s.next {
		v.limit = l.tail.find(before, s.size)
	}
	return v
}

// locate finds the batch that holds offset, or the first one after it. ok is
// false if there is none in the segment.
func (v *view) locate(offset int64) (b batchAt, ok bool, err error) {
	b, around, ok, err := v.find(offset)
	if err == nil && around.holds(offset) {
		return b, false, around.error(v.file.path)
	}
	return b, ok, err
}

// find is locate for who goes on where offset is damaged: around is the damage
// then, and b the first batch behind it.
func (v *view) find(offset int64) (b batchAt, around damage, ok bool, err error) {
	asked := offset
	for _, d := range v.damage {
		if d.holds(offset) {
			around, offset = d, d.next
		}
	}
	start, err := v.floor(offset)
	if err != nil {
		return b, around, false, err
	}
	w := v.walk(start.position, start.base)
	defer v.took(&w)
	for {
		b, ok, err = w.next()
		whole := true
		if err == nil && ok && b.next > offset {
			whole, err = w.followed(b)
		}
		met := w.around(offset, around)
		if around.holds(asked) {
			met.from, met.first = min(met.from, around.from), min(met.first, around.first) // one begins where the other ends
		}
		around = met
		if err != nil || !ok || whole && b.next > offset {
			return b, around, ok && err == nil, err
		}
	}
}

// took ends a walk and takes over what it has found.
func (v *view) took(w *walker) {
	v.damage, v.found = w.damage, append(v.found, w.found...)
	w.done()
}

func (d damage) holds(offset int64) bool { return d.first <= offset && offset < d.next }

func (d damage) error(path string) error {
	return storage.ErrCorrupt.With("%s: offsets %d to %d, at position %d", path, d.first, d.next-1, d.from)
}

// floor returns a batch at or before the one that holds offset, by the index.
// An entry that does not point at a batch is passed over for the segment's
// beginning, since an index holds nothing that the log does not.
func (v *view) floor(offset int64) (batchAt, error) {
	begin := batchAt{base: v.base}
	n, entry, err := v.offsets.search(func(e offsetEntry) bool { return v.base+int64(e.offset) > offset })
	if err != nil {
		return begin, err
	}
	if n == 0 || int64(entry.position) >= v.size || entry.position < 0 {
		return begin, nil
	}
	w := v.walk(int64(entry.position), v.base)
	defer w.done()
	w.strict, w.trusting = true, true // the entry tells
	b, ok, err := w.next()
	if err != nil || !ok || b.next != v.base+int64(entry.offset)+1 {
		return begin, nil
	}
	return b, nil
}
