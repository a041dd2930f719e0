package coordinator

import (
	"math"
	"unicode"
	"unicode/utf16"
)

// partitionFor is the partition of __consumer_offsets that has a group: by the
// hash of Java strings, so that Kafka's tools look for it where it is.
func partitionFor(groupID string, partitions int) int {
	var hash int32
	for _, r := range groupID {
		if high, low := utf16.EncodeRune(r); high != unicode.ReplacementChar {
			hash = 31*hash + high
			r = low
		}
		hash = 31*hash + r
	}
	if hash == math.MinInt32 {
		return 0
	}
	return int(max(hash, -hash)) % partitions
}
