package frame

import (
	"io"
	"sync"
)

// maxKept is the largest buffer that is kept for the next call. What a rare
// large batch needs goes back to the collector.
const maxKept = 4 << 20

var buffers = sync.Pool{New: func() any { return new([]byte) }}

// getBuffer returns an empty buffer that has what an earlier call left of
// memory.
func getBuffer() *[]byte {
	b := buffers.Get().(*[]byte)
	*b = (*b)[:0]
	return b
}

func putBuffer(b *[]byte) {
	if cap(*b) <= maxKept {
		buffers.Put(b)
	}
}

// readInto appends the next n bytes of r to b. Memory grows with the bytes
// that arrive, not with n, which the far side only claims.
func readInto(r io.Reader, b []byte, n int) ([]byte, error) {
	for n > 0 {
		if cap(b) == len(b) {
			b = append(b, make([]byte, min(n, max(len(b), 64<<10)))...)[:len(b)]
		}
		chunk := b[len(b):min(cap(b), len(b)+n)]
		got, err := io.ReadFull(r, chunk)
		b, n = b[:len(b)+got], n-got
		if err != nil {
			return b, err
		}
	}
	return b, nil
}
