package partitioner

import (
	"math/rand/v2"
	"sync"
)

// Random draws partitions for records without a key. Equal seeds draw equal
// sequences. Safe for concurrent use.
type Random struct {
	mu     sync.Mutex
	source *rand.Rand
}

// NewRandom starts a sequence; the seed is that of module.Env.
func NewRandom(seed uint64) *Random {
	return &Random{source: rand.New(rand.NewPCG(seed, 0x6f647261))}
}

// Usable draws one of the topic's usable partitions, each equally likely.
func (r *Random) Usable(topic *Topic) int32 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return topic.Nth(r.source.Int32N(topic.Usable()))
}
