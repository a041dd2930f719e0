package differential

import (
	"math/rand/v2"
	"strings"
)

// draw is where the generators take their decisions from.
type draw struct {
	*rand.Rand
	// now is in milliseconds since 1970.
	now int64
	// sequences are the next ones of the idempotent producers, if all that they
	// sent before was accepted.
	sequences map[place]int32
	// accepted are their batches that may have been accepted, each the last one.
	accepted map[place][]byte
	// sessions are the fetch sessions that were asked for, in this order.
	sessions []session
}

// place is where an idempotent producer writes.
type place struct {
	producer  int
	topic     string
	partition int32
}

// pick draws one of some values; what is to come more often is written more
// often.
func pick[T any](d *draw, from ...T) T { return from[d.IntN(len(from))] }

// chance is true once in so many times.
func (d *draw) chance(in int) bool { return d.IntN(in) == 0 }

// The topics that requests are about. Standing ones are made in the
// preparation and stay as they are; volatile ones come and go; of the absent
// ones most have names that no topic may have.
var (
	standing = []string{"plain", "plain", "plain", "compacted", "stamped", "small", "zipped", "packed", "recent", "guarded"}
	volatile = []string{"v0", "v1", "v2", "v3", "v.4", "v_4"}
	absent   = []string{"nowhere", "", ".", "..", "a/b", "a b", "é", strings.Repeat("n", 249), strings.Repeat("n", 250)}
)

// topic draws any name.
func (d *draw) topic() string {
	if d.chance(12) {
		return pick(d, absent...)
	}
	if d.chance(3) {
		return pick(d, volatile...)
	}
	return pick(d, standing...)
}

// changing draws the name of a topic that may be changed.
func (d *draw) changing() string {
	if d.chance(12) {
		return pick(d, absent...)
	}
	return pick(d, volatile...)
}

func (d *draw) partition() int32 { return pick[int32](d, 0, 0, 0, 0, 0, 1, 1, 2, 3, -1, 1<<31-1) }
