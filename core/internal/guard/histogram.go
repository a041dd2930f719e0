package guard

import (
	"math/bits"
	"sync/atomic"
	"time"
)

// Each power of two of nanoseconds is split into this many buckets, so that a
// quantile is off by an eighth at most.
const (
	splitBits = 3
	split     = 1 << splitBits
)

// histogram counts durations in buckets that grow with them. The zero value is
// empty. Safe for concurrent use, without a lock.
type histogram struct {
	buckets [(64 - splitBits + 1) * split]atomic.Uint64
}

// observe counts n calls that took d.
func (h *histogram) observe(d time.Duration, n uint64) { h.buckets[bucketOf(d)].Add(n) }

func bucketOf(d time.Duration) int {
	n := uint64(max(d, 0))
	if n < split {
		return int(n)
	}
	shift := bits.Len64(n) - 1 - splitBits
	return (shift+1)*split + int(n>>shift) - split
}

// upperBound is the longest duration of a bucket.
func upperBound(bucket int) time.Duration {
	if bucket < split {
		return time.Duration(bucket)
	}
	shift := bucket/split - 1
	return time.Duration(uint64(bucket%split+split+1)<<shift - 1)
}

// quantiles answers for each q of qs, ascending, the duration that a part q of
// the calls did not exceed; zeros when there was no call.
func (h *histogram) quantiles(qs ...float64) []time.Duration {
	var counts [len(h.buckets)]uint64
	var total uint64
	for i := range h.buckets {
		counts[i] = h.buckets[i].Load()
		total += counts[i]
	}
	out := make([]time.Duration, len(qs))
	var seen uint64
	at := 0
	for i, n := range counts {
		seen += n
		for at < len(qs) && total > 0 && float64(seen) >= qs[at]*float64(total) {
			out[at] = upperBound(i)
			at++
		}
	}
	return out
}
