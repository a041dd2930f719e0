package segment

import (
	"encoding/binary"
	"errors"
	"sort"
)

// pendingMax is how many entries are collected before they are written.
const pendingMax = 512

// index is an offset or time index of one segment: entries in ascending order,
// the older ones in the file, the newer ones in memory. The writer writes them
// in bulk, so that an append makes no system call for them; recovery makes
// anew what a crash lost.
type index[E any] struct {
	file   *cachedFile
	format format[E]
	// created says that the file exists.
	created bool
	// stored is the number of entries in the file.
	stored int64
	// pending follow those in the file. Entries are only ever appended, and the
	// slice is replaced once it is written, so that a reader may keep a copy of
	// the index value.
	pending []E
	// last is the last entry of all; it is not set when there is none.
	last E
}

// format is how entries stand in the file.
type format[E any] struct {
	size   int64
	encode func(to []byte, e E) []byte
	decode func(from []byte) E
}

func (x *index[E]) count() int64 { return x.stored + int64(len(x.pending)) }

// append notes an entry; flush once pendingMax of them are pending.
func (x *index[E]) append(e E) {
	x.pending = append(x.pending, e)
	x.last = e
}

// dirty says that the file lacks something.
func (x *index[E]) dirty() bool { return !x.created || len(x.pending) > 0 }

// flush writes what is pending. When it fails the entries stay pending.
func (x *index[E]) flush() error {
	if !x.created {
		if err := x.file.create(); err != nil {
			return err
		}
		x.created, x.stored = true, 0
	}
	if len(x.pending) == 0 {
		return nil
	}
	encoded := make([]byte, 0, int64(len(x.pending))*x.format.size)
	for _, e := range x.pending {
		encoded = x.format.encode(encoded, e)
	}
	if err := x.file.writeAt(encoded, x.stored*x.format.size); err != nil {
		return err
	}
	x.stored += int64(len(x.pending))
	x.pending = nil
	return nil
}

// reset forgets all entries and has the file made anew by the next flush.
func (x *index[E]) reset() {
	var none E
	x.created, x.stored, x.pending, x.last = false, 0, nil, none
}

// recall takes the entries back into memory and removes the file: a part of an
// index must not be taken for the whole.
func (x *index[E]) recall() error {
	all := make([]E, 0, x.count())
	if x.stored > 0 {
		encoded := make([]byte, x.stored*x.format.size)
		if err := x.file.readAt(encoded, 0); err != nil {
			return err
		}
		for ; len(encoded) > 0; encoded = encoded[x.format.size:] {
			all = append(all, x.format.decode(encoded))
		}
	}
	all = append(all, x.pending...)
	x.created, x.stored, x.pending = false, 0, all
	return errors.Join(x.file.close(), removeFile(x.file.cache.files, x.file.path))
}

// cut removes entries from the first for which from is true; all after it are
// taken to be so too.
func (x *index[E]) cut(from func(E) bool) error {
	if err := x.flush(); err != nil {
		return err
	}
	keep, _, err := x.search(from)
	if err != nil {
		return err
	}
	if keep < x.stored {
		if err := x.file.truncate(keep * x.format.size); err != nil {
			return err
		}
	}
	x.stored = keep
	return x.loadLast()
}

// loadLast reads the last entry of the file.
func (x *index[E]) loadLast() error {
	var none E
	x.last = none
	if x.stored == 0 {
		return nil
	}
	var err error
	x.last, err = x.read(x.stored - 1)
	return err
}

// lastOf returns the last entry, ok false if there is none.
func (x *index[E]) lastOf() (e E, ok bool) { return x.last, x.count() > 0 }

// newest is the last entry, read from the file if it is in there.
func (x *index[E]) newest() (e E, ok bool, err error) {
	switch {
	case len(x.pending) > 0:
		return x.pending[len(x.pending)-1], true, nil
	case x.stored == 0:
		return e, false, nil
	}
	e, err = x.read(x.stored - 1)
	return e, err == nil, err
}

// search returns the number of entries before the first for which after is
// true, and the one just before it if that number is not 0.
func (x *index[E]) search(after func(E) bool) (n int64, floor E, err error) {
	if len(x.pending) > 0 && !after(x.pending[0]) {
		k := sort.Search(len(x.pending), func(i int) bool { return after(x.pending[i]) })
		return x.stored + int64(k), x.pending[k-1], nil
	}
	return x.searchFile(after)
}

// searchBlock is the number of entries that are read at once when so few are
// left to choose from.
const searchBlock = 256

func (x *index[E]) searchFile(after func(E) bool) (n int64, floor E, err error) {
	low, high := int64(0), x.stored
	for high-low > searchBlock {
		middle := low + (high-low)/2
		e, err := x.read(middle)
		if err != nil {
			return 0, floor, err
		}
		if after(e) {
			high = middle
		} else {
			low, floor = middle+1, e
		}
	}
	buffer := walkBuffers.Get().(*[walkBuffer]byte)
	defer walkBuffers.Put(buffer)
	block := buffer[:(high-low)*x.format.size]
	if len(block) > 0 {
		if err := x.file.readAt(block, low*x.format.size); err != nil {
			return 0, floor, err
		}
	}
	for ; len(block) > 0; block = block[x.format.size:] {
		e := x.format.decode(block)
		if after(e) {
			break
		}
		low, floor = low+1, e
	}
	return low, floor, nil
}

func (x *index[E]) read(at int64) (e E, err error) {
	var buf [timeEntrySize]byte
	b := buf[:x.format.size]
	if err := x.file.readAt(b, at*x.format.size); err != nil {
		return e, err
	}
	return x.format.decode(b), nil
}

const (
	offsetEntrySize = 8
	timeEntrySize   = 12
)

// offsetEntry says where a batch is: the last offset of the batch, less the
// segment's base offset, and the position of its first byte.
type offsetEntry struct{ offset, position int32 }

var offsetFormat = format[offsetEntry]{
	size: offsetEntrySize,
	encode: func(to []byte, e offsetEntry) []byte {
		to = binary.BigEndian.AppendUint32(to, uint32(e.offset))
		return binary.BigEndian.AppendUint32(to, uint32(e.position))
	},
	decode: func(b []byte) offsetEntry {
		return offsetEntry{int32(binary.BigEndian.Uint32(b)), int32(binary.BigEndian.Uint32(b[4:]))}
	},
}

// timeEntry says what the largest timestamp up to some batch is, and the last
// offset, less the base offset, of the batch that holds it. Timestamps
// strictly ascend.
type timeEntry struct {
	timestamp int64
	offset    int32
}

var timeFormat = format[timeEntry]{
	size: timeEntrySize,
	encode: func(to []byte, e timeEntry) []byte {
		to = binary.BigEndian.AppendUint64(to, uint64(e.timestamp))
		return binary.BigEndian.AppendUint32(to, uint32(e.offset))
	},
	decode: func(b []byte) timeEntry {
		return timeEntry{int64(binary.BigEndian.Uint64(b)), int32(binary.BigEndian.Uint32(b[8:]))}
	},
}
