package partitioner

import "slices"

// Topic is what the partitioner may know of the topic.
type Topic struct {
	Name       string
	Partitions int32
	// Available lists, ascending, the partitions that have a leader now. Empty
	// means all of them.
	Available []int32
	// Epoch changes when anything else here changes.
	Epoch int64
}

// Usable is how many partitions a record without a key may go to.
func (t *Topic) Usable() int32 {
	if len(t.Available) > 0 {
		return int32(len(t.Available))
	}
	return t.Partitions
}

// Nth returns the n-th usable partition, n in [0, Usable).
func (t *Topic) Nth(n int32) int32 {
	if len(t.Available) > 0 {
		return t.Available[n]
	}
	return n
}

// CanUse reports whether a record without a key may go to partition p.
func (t *Topic) CanUse(p int32) bool {
	if p < 0 || p >= t.Partitions {
		return false
	}
	if len(t.Available) == 0 {
		return true
	}
	_, found := slices.BinarySearch(t.Available, p)
	return found
}
