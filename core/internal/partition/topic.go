package partition

import (
	"sync/atomic"

	"odradek.dev/core/internal/metadata"
)

// Topic is the partitions of one topic as the last applied image has it.
type Topic struct {
	Name string
	ID   metadata.TopicID
	// partitions has nil where this broker has no replica. CreatePartitions
	// replaces the slice by a longer one.
	partitions atomic.Pointer[[]*Partition]
}

// Partition finds a partition of the topic. exists is false when the topic has
// none of that number; p is nil when it has, and no replica is here.
func (t *Topic) Partition(number int32) (p *Partition, exists bool) {
	all := *t.partitions.Load()
	if number < 0 || int(number) >= len(all) {
		return nil, false
	}
	return all[number], true
}

// All is the partitions by number, nil where this broker has no replica. The
// slice must not be modified.
func (t *Topic) All() []*Partition { return *t.partitions.Load() }

// EndOffsets is the high watermark of each partition by number, -1 where this
// broker has no replica.
func (t *Topic) EndOffsets() []int64 {
	all := t.All()
	ends := make([]int64, len(all))
	for i, p := range all {
		ends[i] = -1
		if p != nil {
			ends[i] = p.HighWatermark()
		}
	}
	return ends
}
