package codec

import (
	"errors"
	"io"
	"slices"
)

// spillSize is the least that [ReadWithin] adds when dst was too small.
const spillSize = 64 << 10

// ReadWithin is Decompress for a codec whose library decodes through a reader:
// it appends all that r gives to dst. hint is a guess of how much that is. The
// memory it takes to find out that r gives more than budget bytes is at most
// budget, because it does not move what it has already read; the price is one
// copy when dst had no room and hint was too low.
//
// An error of r is returned as [ErrCorrupt].
func ReadWithin(dst []byte, r io.Reader, hint, budget int) ([]byte, error) {
	budget = max(budget, 0)
	dst = slices.Grow(dst, max(0, min(hint, budget)))
	first := dst[len(dst):min(cap(dst), len(dst)+budget)]
	n, err := readFull(r, first)
	dst = dst[:len(dst)+n]
	var spilled [][]byte
	for total := n; err == nil; total += n {
		if total == budget {
			if err = atEnd(r); err == nil {
				break
			}
			return nil, err
		}
		chunk := make([]byte, min(max(total, spillSize), budget-total))
		n, err = readFull(r, chunk)
		spilled = append(spilled, chunk[:n])
	}
	if err != nil && err != io.EOF {
		return nil, ErrCorrupt.With("%v", err)
	}
	return appendAll(dst, spilled), nil
}

// readFull fills buf, or returns [io.EOF] if r ended in an orderly way.
func readFull(r io.Reader, buf []byte) (n int, err error) {
	for n < len(buf) && err == nil {
		var m int
		m, err = r.Read(buf[n:])
		n += m
	}
	return n, err
}

// atEnd makes sure that a reader that filled the budget has no more to give.
func atEnd(r io.Reader) error {
	n, err := readFull(r, make([]byte, 1))
	switch {
	case n > 0:
		return ErrOverBudget
	case errors.Is(err, io.EOF):
		return nil
	}
	return ErrCorrupt.With("%v", err)
}

func appendAll(dst []byte, chunks [][]byte) []byte {
	size := 0
	for _, c := range chunks {
		size += len(c)
	}
	dst = slices.Grow(dst, size)
	for _, c := range chunks {
		dst = append(dst, c...)
	}
	return dst
}
