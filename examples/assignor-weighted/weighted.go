package main

import (
	"cmp"
	"context"
	"math/bits"
	"slices"
	"strconv"

	"odradek.dev/sdk/assignor"
)

// Weighted gives a member of weight 3 three times what one of weight 1 gets:
// of partitions, or of the records in them that wait. A member's weight is its
// user data, a number in decimal text; the answer's user data is the weight
// that counted.
type Weighted struct{ config Config }

// Assign implements assignor.Assignor. Each partition goes to the subscriber
// whose share, with it, is the smallest for its weight.
func (w Weighted) Assign(ctx context.Context, snapshot assignor.Snapshot) (assignor.Assignment, error) {
	shares := make([]share, len(snapshot.Members))
	for i, member := range snapshot.Members {
		shares[i].weight = w.weight(member.UserData)
	}
	plan := assignor.NewPlan(snapshot)
	subscribers := snapshot.Subscribers(snapshot.StaticFirst())
	for _, p := range w.pieces(snapshot) {
		if err := ctx.Err(); err != nil {
			return assignor.Assignment{}, err
		}
		if members := subscribers[p.topic]; len(members) > 0 {
			to := slices.MinFunc(members, func(a, b int) int { return compare(shares[a], shares[b], p.size) })
			shares[to].size += p.size
			plan.Give(to, p.topic, p.partition)
		}
	}
	assignment := plan.Assignment()
	for i := range assignment.Members {
		assignment.Members[i].UserData = strconv.AppendUint(nil, shares[i].weight, 10)
	}
	return assignment, ctx.Err()
}

// piece is a partition and what it counts.
type piece struct {
	topic     int
	partition int32
	size      uint64
}

// largest keeps the sum of a million pieces within 64 bits.
const largest = 1 << 40

// pieces is all partitions. By lag those come first that count most: what is
// small then evens out what is large.
func (w Weighted) pieces(snapshot assignor.Snapshot) []piece {
	var pieces []piece
	for i, topic := range snapshot.Topics {
		for partition := range topic.Partitions {
			p := piece{i, partition, 1}
			// A partition costs something even if nothing waits in it, or nobody
			// knows.
			if w.config.Measure == byLag && int(partition) < len(topic.Lags) {
				p.size += uint64(min(max(topic.Lags[partition], 0), largest))
			}
			pieces = append(pieces, p)
		}
	}
	slices.SortStableFunc(pieces, func(a, b piece) int { return cmp.Compare(b.size, a.size) })
	return pieces
}

// share is what a member has so far.
type share struct{ size, weight uint64 }

// compare says which share would be smaller for its weight with the piece. It
// calculates in whole numbers, so that every machine finds the same.
func compare(a, b share, size uint64) int {
	highA, lowA := bits.Mul64(a.size+size, b.weight)
	highB, lowB := bits.Mul64(b.size+size, a.weight)
	return cmp.Or(cmp.Compare(highA, highB), cmp.Compare(lowA, lowB))
}

// weight never fails: a group must not stand still since one member sent
// something else.
func (w Weighted) weight(userData []byte) uint64 {
	weight, err := strconv.ParseUint(string(userData), 10, 64)
	if err != nil || weight < 1 || weight > heaviest {
		return uint64(w.config.DefaultWeight)
	}
	return weight
}
