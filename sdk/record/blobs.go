package record

import "iter"

// Blobs is a column of byte strings, any of which may be null: one run of
// bytes and one length each. It crosses a process as two fields, and is walked
// without an allocation an element.
type Blobs struct {
	// Data is the strings one after the other.
	Data []byte
	// Lens has a length for each string, -1 for null. The lengths that are
	// not -1 add up to len(Data).
	Lens []int32
}

// Append adds a copy of b; nil is null, which is not the empty string.
func (s *Blobs) Append(b []byte) {
	if b == nil {
		s.Lens = append(s.Lens, -1)
		return
	}
	s.Data = append(s.Data, b...)
	s.Lens = append(s.Lens, int32(len(b)))
}

// Len is the number of strings.
func (s *Blobs) Len() int { return len(s.Lens) }

// Reset empties the column and keeps its memory.
func (s *Blobs) Reset() { s.Data, s.Lens = s.Data[:0], s.Lens[:0] }

// Valid reports whether the lengths fit the data: to be checked on a column
// that came from another process before it is walked.
func (s *Blobs) Valid() bool {
	var sum int64
	for _, n := range s.Lens {
		if n < -1 {
			return false
		}
		sum += int64(max(n, 0))
	}
	return sum == int64(len(s.Data))
}

// All walks the strings in order; null is nil and empty is not. The slices
// alias Data.
func (s *Blobs) All() iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		at := 0
		for i, n := range s.Lens {
			var b []byte
			switch {
			case n == 0:
				b = []byte{} // a slice of a nil Data would be nil, which is null
			case n > 0:
				b = s.Data[at : at+int(n) : at+int(n)]
				at += int(n)
			}
			if !yield(i, b) {
				return
			}
		}
	}
}
