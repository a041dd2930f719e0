package hash

// Masked makes a partition of a hash as Java does: the sign bit is dropped, and
// the rest is taken modulo n. n must be positive.
func Masked(h uint32, n int32) int32 { return int32(h&0x7fffffff) % n }

// SignedAbs makes a partition of a hash as Sarama does: the hash is taken as a
// signed number modulo n, and the sign of the remainder is dropped. n must be
// positive.
func SignedAbs(h uint32, n int32) int32 {
	remainder := int32(h) % n
	if remainder < 0 {
		return -remainder
	}
	return remainder
}

// Unsigned makes a partition of a hash as librdkafka's consistent partitioners
// do: the hash is taken as an unsigned number modulo n. n must be positive.
func Unsigned(h uint32, n int32) int32 { return int32(h % uint32(n)) }
