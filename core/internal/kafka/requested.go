package kafka

import (
	"slices"
	"unsafe"

	"odradek.dev/core/internal/kafka/shape"
)

// requested is the topics of a request that is decoded where it lies, and their
// partitions. The request is walked over twice, so that this is allocated once,
// and only when the whole is known to be sound: what is added before makeRoom
// is counted, and what is added after it kept.
type requested[P any] struct {
	topics     []namedTopic
	partitions []P

	keeps                      bool
	topicCount, partitionCount int
}

func (r *requested[P]) addTopic(t namedTopic) {
	if r.keeps {
		r.topics = append(r.topics, t)
	} else {
		r.topicCount++
	}
}

func (r *requested[P]) addPartition(p P) {
	if r.keeps {
		r.partitions = append(r.partitions, p)
	} else {
		r.partitionCount++
	}
}

// makeRoom reports false if what was counted is far more than a request of the
// size needs.
func (r *requested[P]) makeRoom(size int) bool {
	var p P
	budget := shape.BudgetFor(size)
	if !budget.Spend(int64(r.topicCount), int64(unsafe.Sizeof(namedTopic{}))) ||
		!budget.Spend(int64(r.partitionCount), int64(unsafe.Sizeof(p))) {
		return false
	}
	r.topics = slices.Grow(r.topics, r.topicCount)
	r.partitions = slices.Grow(r.partitions, r.partitionCount)
	r.keeps = true
	return true
}

// mostPooled is the room for partitions, or topics, above which a call is not
// kept: one large request must not hold its memory for good.
const mostPooled = 4096

// reset is for the next request. It reports false if the call is not to be
// kept.
func (r *requested[P]) reset() bool {
	if cap(r.partitions) > mostPooled || cap(r.topics) > mostPooled {
		return false
	}
	clear(r.topics)
	clear(r.partitions)
	*r = requested[P]{topics: r.topics[:0], partitions: r.partitions[:0]}
	return true
}
