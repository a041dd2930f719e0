package hash

// FNV1a is the 32-bit FNV-1a hash, as Sarama's default partitioner and
// librdkafka's fnv1a use it. A nil key hashes like an empty one.
func FNV1a(key []byte) uint32 {
	const (
		offset uint32 = 2166136261
		prime  uint32 = 16777619
	)
	h := offset
	for _, b := range key {
		h = (h ^ uint32(b)) * prime
	}
	return h
}
