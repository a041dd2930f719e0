package kafka

import "encoding/binary"

// What a broker reads of bytes before it knows whether they are a batch, of any
// message format: their length and their format.
const (
	lengthAt, lengthEnd = 8, 12
	magicAt             = 16
	// leastLength is that of a record of format 0 without key and value.
	leastLength = 14

	zstdAttribute = 4
)

// corrupt reports whether there is the head of a batch in front that cannot be
// one. Bytes that are too few to say are not corrupt.
func corrupt(b []byte) bool {
	if len(b) < lengthEnd {
		return false
	}
	length := int32(binary.BigEndian.Uint32(b[lengthAt:]))
	return length < leastLength || len(b) > magicAt && b[magicAt] > 2
}

// frameOf is the size of the batch in front, which is not corrupt; whole is false
// if not all of it is there.
func frameOf(b []byte) (size int, whole bool) {
	if len(b) <= magicAt {
		return 0, false
	}
	size = lengthEnd + int(int32(binary.BigEndian.Uint32(b[lengthAt:])))
	return size, size <= len(b)
}
