package shape

import "encoding/binary"

// walker goes once through a body.
type walker struct {
	rest     []byte
	version  int16
	flexible bool
	// budget is what the decoded request may still take in memory.
	budget Budget
}

func (w *walker) structure(fields []field) error {
	for i := range fields {
		f := &fields[i]
		if w.version < f.min || w.version > f.max {
			continue
		}
		if err := w.value(f); err != nil {
			return err
		}
	}
	return w.tags()
}

func (w *walker) value(f *field) error {
	switch f.kind {
	case text:
		return w.bytes(2)
	case blob:
		return w.bytes(4)
	case list:
		return w.list(f)
	case optional:
		return w.optional(f)
	default:
		return w.skip(f.size)
	}
}

func (w *walker) list(f *field) error {
	count, err := w.length(4)
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

func (w *walker) bytes(prefix int) error {
	n, err := w.length(prefix)
	if err != nil {
		return err
	}
	if n > int64(len(w.rest)) {
		return errShort
	}
	w.rest = w.rest[n:]
	return nil
}

// length reads a length in its plain or compact form; null is 0.
func (w *walker) length(prefix int) (int64, error) {
	if w.flexible {
		n, err := w.uvarint()
		return max(n-1, 0), err
	}
	if len(w.rest) < prefix {
		return 0, errShort
	}
	var n int64
	if prefix == 2 {
		n = int64(int16(binary.BigEndian.Uint16(w.rest)))
	} else {
		n = int64(int32(binary.BigEndian.Uint32(w.rest)))
	}
	w.rest = w.rest[prefix:]
	if n < -1 {
		return 0, errShort
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
