package kafka

import (
	"math/bits"
	"sync"
)

// Buffers come in powers of two, and those that are often needed from pools. A
// connection has one only while there are bytes in it.
const (
	leastBufferBits = 14 // 16 KiB
	mostBufferBits  = 20 // 1 MiB; larger ones are left to the collector
)

// buffer is a pooled piece of memory.
type buffer struct {
	b []byte
}

type bufferPool struct {
	classes [mostBufferBits - leastBufferBits + 1]sync.Pool
}

// take returns a buffer of at least size bytes, with all of its length.
func (p *bufferPool) take(size int) *buffer {
	class := max(bits.Len(uint(max(size, 1)-1)), leastBufferBits)
	if class > mostBufferBits {
		return &buffer{b: make([]byte, size)}
	}
	if b, ok := p.classes[class-leastBufferBits].Get().(*buffer); ok {
		return b
	}
	return &buffer{b: make([]byte, 1<<class)}
}

// give puts a buffer back. One that grew by appending goes to the class that
// it can serve.
func (p *bufferPool) give(b *buffer) {
	b.b = b.b[:cap(b.b)]
	class := bits.Len(uint(len(b.b))) - 1
	if class < leastBufferBits || class > mostBufferBits {
		return
	}
	b.b = b.b[:1<<class]
	p.classes[class-leastBufferBits].Put(b)
}
