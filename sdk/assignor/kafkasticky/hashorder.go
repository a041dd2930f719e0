package kafkasticky

import (
	"cmp"
	"slices"
	"unicode/utf16"
)

// A Java hash table has a power of two of buckets, begins with 16, and doubles
// when it is more than three quarters full. It is walked bucket by bucket, and
// in a bucket by age.
const firstBuckets = 16

func bucketsFor(entries, buckets int) int {
	for entries > buckets/4*3 {
		buckets *= 2
	}
	return buckets
}

// stringHash is that of a Java string.
func stringHash(s string) uint32 {
	var h uint32
	for _, unit := range utf16.Encode([]rune(s)) {
		h = 31*h + uint32(unit)
	}
	return h
}

func bucket(hash uint32, buckets int) int { return int((hash ^ hash>>16) & uint32(buckets-1)) }

// hashOrder returns the indexes of the keys in the order in which a Java hash
// table that was filled with them is walked.
func hashOrder(keys []string) []int {
	buckets := bucketsFor(len(keys), firstBuckets)
	order, at := make([]int, len(keys)), make([]int, len(keys))
	for i, key := range keys {
		order[i], at[i] = i, bucket(stringHash(key), buckets)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(at[a], at[b]) })
	return order
}

// hashSet is a Java hash set of partitions of one topic.
type hashSet struct {
	topicHash uint32
	buckets   int
	// partitions is by age.
	partitions []int
}

func newHashSet(topic string) *hashSet {
	return &hashSet{topicHash: stringHash(topic), buckets: firstBuckets}
}

func (s *hashSet) add(partition int) {
	s.partitions = append(s.partitions, partition)
	s.buckets = bucketsFor(len(s.partitions), s.buckets)
}

func (s *hashSet) remove(partition int) {
	if at := slices.Index(s.partitions, partition); at >= 0 {
		s.partitions = slices.Delete(s.partitions, at, at+1)
	}
}

// first is the partition that a walk begins with. The set is not empty.
func (s *hashSet) first() int {
	at := func(partition int) int { return bucket(31*(31+uint32(partition))+s.topicHash, s.buckets) }
	return slices.MinFunc(s.partitions, func(a, b int) int { return cmp.Compare(at(a), at(b)) })
}
