package shape

import (
	"encoding/binary"
	"math"
)

// walker goes once through a body.
type walker struct {
	rest []byte
	// size is that of the whole body.
	size     int
	version  int16
	flexible bool
	// budget is what the decoded request may still take in memory.
	budget Budget
}

func (w *walker) structure(fields []field) error {
	for i := range fields {
		f := &fields[i]
		if !f.versions.have(w.version) {
			continue
		}
		left := len(w.rest)
		if err := w.value(f); err != nil {
			return w.locate(f.name, left, err)
		}
	}
	left := len(w.rest)
	if err := w.tags(); err != nil {
		return w.locate("tagged fields", left, err)
	}
	return nil
}

// locate says in which field err is, which begins so many bytes before the end.
// Where it begins is known best by the innermost.
func (w *walker) locate(name string, left int, err error) error {
	if inner, ok := err.(*located); ok {
		inner.field = name + "." + inner.field
		return inner
	}
	return &located{field: name, at: w.size - left, cause: err}
}

func (w *walker) value(f *field) error {
	switch f.kind {
	case text:
		return w.bytes(f, 2)
	case blob:
		return w.bytes(f, 4)
	case list:
		return w.list(f)
	case optional:
		return w.optional(f)
	default:
		return w.skip(f.size)
	}
}

func (w *walker) list(f *field) error {
	count, err := w.length(f, 4)
	if err != nil {
		return err
	}
	if count > int64(len(w.rest)) {
		return errCount
	}
	if !w.budget.Spend(count, f.cost) {
		return errBudget
	}
	for range count {
		if f.structure {
			err = w.structure(f.element)
		} else {
			err = w.value(&f.element[0])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// optional is a structure behind a byte that is -1 when there is none.
func (w *walker) optional(f *field) error {
	if len(w.rest) == 0 {
		return errShort
	}
	none := int8(w.rest[0]) == -1
	w.rest = w.rest[1:]
	if none {
		return nil
	}
	if !w.budget.Spend(1, f.cost) {
		return errBudget
	}
	return w.structure(f.element)
}

// tags skips the tagged fields, known or not: their sizes are all that counts.
func (w *walker) tags() error {
	if !w.flexible {
		return nil
	}
	if len(w.rest) > 0 && w.rest[0] == 0 { // there are hardly ever any
		w.rest = w.rest[1:]
		return nil
	}
	count, err := w.uvarint()
	if err != nil {
		return err
	}
	// A tag takes two bytes at least: its number and its size.
	if count > int64(len(w.rest))/2 {
		return errCount
	}
	if !w.budget.Spend(count, tagCost) {
		return errBudget
	}
	for range count {
		if _, err := w.uvarint(); err != nil {
			return err
		}
		size, err := w.uvarint()
		if err != nil {
			return err
		}
		if size > int64(len(w.rest)) {
			return errShort
		}
		w.rest = w.rest[size:]
	}
	return nil
}

func (w *walker) bytes(f *field, prefix int) error {
	n, err := w.length(f, prefix)
	if err != nil {
		return err
	}
	if n > math.MaxInt16 && f.kind == text {
		return errString
	}
	if n > int64(len(w.rest)) {
		return errShort
	}
	w.rest = w.rest[n:]
	return nil
}

// length reads the length of f in its plain or compact form; null, where that
// may be, is 0. Any length below 0 is null.
func (w *walker) length(f *field, prefix int) (n int64, err error) {
	switch {
	case w.flexible:
		if n, err = w.uvarint(); err != nil {
			return 0, err
		}
		n--
	case len(w.rest) < prefix:
		return 0, errShort
	case prefix == 2:
		n = int64(int16(binary.BigEndian.Uint16(w.rest)))
		w.rest = w.rest[2:]
	default:
		n = int64(int32(binary.BigEndian.Uint32(w.rest)))
		w.rest = w.rest[4:]
	}
	if n < 0 && !f.nullable.have(w.version) {
		return 0, errNull
	}
	return max(n, 0), nil
}

// uvarint reads at most five bytes, of which the last may only fill 32 bits.
func (w *walker) uvarint() (int64, error) {
	var v int64
	for i := range 5 {
		if i >= len(w.rest) {
			return 0, errShort
		}
		b := w.rest[i]
		v |= int64(b&0x7f) << (7 * i)
		if b < 0x80 {
			if v > 1<<31 {
				return 0, errVarint
			}
			w.rest = w.rest[i+1:]
			return v, nil
		}
	}
	return 0, errVarint
}

func (w *walker) skip(n int) error {
	if n > len(w.rest) {
		return errShort
	}
	w.rest = w.rest[n:]
	return nil
}
