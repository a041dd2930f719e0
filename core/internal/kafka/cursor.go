package kafka

import (
	"encoding/binary"
	"math"
)

// cursor reads a request in place. What it returns aliases the request. Once a
// read went wrong it is bad and stays so, and reads give zeros: check bad
// before anything that was read is used.
type cursor struct {
	b        []byte
	flexible bool
	bad      bool
}

func (c *cursor) take(n int) []byte {
	if n < 0 || n > len(c.b) {
		c.bad, c.b = true, nil
		return nil
	}
	taken := c.b[:n:n]
	c.b = c.b[n:]
	return taken
}

func (c *cursor) int8() int8 {
	if b := c.take(1); b != nil {
		return int8(b[0])
	}
	return 0
}

func (c *cursor) int16() int16 {
	if b := c.take(2); b != nil {
		return int16(binary.BigEndian.Uint16(b))
	}
	return 0
}

func (c *cursor) int32() int32 {
	if b := c.take(4); b != nil {
		return int32(binary.BigEndian.Uint32(b))
	}
	return 0
}

func (c *cursor) int64() int64 {
	if b := c.take(8); b != nil {
		return int64(binary.BigEndian.Uint64(b))
	}
	return 0
}

func (c *cursor) uuid() (id [16]byte) {
	copy(id[:], c.take(16))
	return id
}

// uvarint reads at most five bytes and a value below 2^31.
func (c *cursor) uvarint() int {
	var v uint64
	for i := range 5 {
		if i >= len(c.b) {
			break
		}
		b := c.b[i]
		v |= uint64(b&0x7f) << (7 * i)
		if b < 0x80 {
			if v > 1<<31-1 {
				break
			}
			c.b = c.b[i+1:]
			return int(v)
		}
	}
	c.bad, c.b = true, nil
	return 0
}

// length is below 0 for null. width is that of the length in its plain form.
func (c *cursor) length(width int) int {
	switch {
	case c.flexible:
		return c.uvarint() - 1
	case width == 2:
		return int(c.int16())
	}
	return int(c.int32())
}

// text reads a string that may be null, as nil.
func (c *cursor) text() []byte { return c.nullable(c.textLength()) }

// name reads a string that may not be null.
func (c *cursor) name() []byte { return c.take(c.textLength()) }

// textLength reads that of a string, which in its compact form too is no longer
// than the plain one can be.
func (c *cursor) textLength() int {
	n := c.length(2)
	if n > math.MaxInt16 {
		c.bad, c.b = true, nil
	}
	return n
}

// blob reads bytes that may be null, as nil.
func (c *cursor) blob() []byte { return c.nullable(c.length(4)) }

func (c *cursor) nullable(n int) []byte {
	if n < 0 {
		return nil
	}
	if n == 0 && !c.bad {
		return []byte{}
	}
	return c.take(n)
}

// count reads the length of an array whose elements take at least least bytes
// each, and which may not be null.
func (c *cursor) count(least int) int {
	n := c.length(4)
	if n < 0 || n > len(c.b)/least {
		c.bad, c.b = true, nil
		return 0
	}
	return n
}

// tags skips the tagged fields at the end of a structure.
func (c *cursor) tags() { c.eachTag(func(int, []byte) {}) }

// eachTag visits the tagged fields at the end of a structure.
func (c *cursor) eachTag(visit func(tag int, value []byte)) {
	if !c.flexible {
		return
	}
	// A tag takes two bytes at least, so that the loop is bounded by the bytes.
	for n := c.uvarint(); n > 0 && !c.bad; n-- {
		tag := c.uvarint()
		if value := c.take(c.uvarint()); !c.bad {
			visit(tag, value)
		}
	}
}
