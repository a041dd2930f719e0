package hash

import "encoding/binary"

// Murmur2 is the 32-bit MurmurHash2 of Austin Appleby with the seed that
// Kafka's Java client uses. A nil key hashes like an empty one.
func Murmur2(key []byte) uint32 {
	const (
		seed  uint32 = 0x9747b28c
		mix   uint32 = 0x5bd1e995
		shift        = 24
	)
	h := seed ^ uint32(len(key))
	for ; len(key) >= 4; key = key[4:] {
		k := binary.LittleEndian.Uint32(key) * mix
		k ^= k >> shift
		h = h*mix ^ k*mix
	}
	if len(key) > 0 {
		for i := len(key) - 1; i >= 0; i-- {
			h ^= uint32(key[i]) << (8 * i)
		}
		h *= mix
	}
	h ^= h >> 13
	h *= mix
	return h ^ h>>15
}
