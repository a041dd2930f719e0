package kafkasticky

import (
	"cmp"
	"context"
	"slices"

	"odradek.dev/sdk/assignor"
)

// Assign is pure and safe for concurrent use.
func Assign(ctx context.Context, snapshot assignor.Snapshot) (assignor.Assignment, error) {
	g := newGroup(snapshot)
	assign := g.assignByLevel
	if allAlike(snapshot.Members) {
		assign = g.assignByQuota
	}
	if err := assign(ctx); err != nil {
		return assignor.Assignment{}, err
	}
	plan := assignor.NewPlan(snapshot)
	for topic, owners := range g.owner {
		for partition, owner := range owners {
			if owner != assignor.Nobody {
				plan.Give(owner, topic, int32(partition))
			}
		}
	}
	return plan.Assignment(), ctx.Err()
}

// allAlike reports whether all members subscribe to the same topics.
func allAlike(members []assignor.Member) bool {
	return !slices.ContainsFunc(members, func(m assignor.Member) bool { return !slices.Equal(m.Topics, members[0].Topics) })
}

// place is a partition of a topic.
type place struct{ topic, partition int }

// group is an assignment in the making. Members, topics and partitions are
// named by their indexes in the snapshot.
type group struct {
	snapshot assignor.Snapshot
	// order is the members as a Java hash table has them.
	order []int
	// subscribers has the members of each topic, ascending.
	subscribers [][]int
	// owner has for each topic and partition its member, or assignor.Nobody, and
	// load how many partitions each member has.
	owner [][]int
	load  []int
	racks racks
	// claims is what members said that they had.
	claims claims
}

func newGroup(snapshot assignor.Snapshot) *group {
	ids := make([]string, len(snapshot.Members))
	ascending := make([]int, len(snapshot.Members))
	for i, member := range snapshot.Members {
		ids[i], ascending[i] = member.ID, i
	}
	g := &group{
		snapshot: snapshot, order: hashOrder(ids), subscribers: snapshot.Subscribers(ascending),
		load: make([]int, len(snapshot.Members)), racks: newRacks(snapshot),
	}
	for _, topic := range snapshot.Topics {
		g.owner = append(g.owner, slices.Repeat([]int{assignor.Nobody}, int(topic.Partitions)))
	}
	g.claims = newClaims(g)
	return g
}

func (g *group) give(at place, to int) {
	if from := g.owner[at.topic][at.partition]; from != assignor.Nobody {
		g.load[from]--
	}
	g.owner[at.topic][at.partition] = to
	g.load[to]++
}

// free is what nobody has of the topics that somebody subscribes to, in the
// order of the topics given.
func (g *group) free(topics []int) []place {
	var free []place
	for _, topic := range topics {
		for partition, owner := range g.owner[topic] {
			if owner == assignor.Nobody && len(g.subscribers[topic]) > 0 {
				free = append(free, place{topic, partition})
			}
		}
	}
	return free
}

// lightest is the one of the members that has least, of several the first by
// ID; assignor.Nobody if may lets none pass.
func (g *group) lightest(members []int, may func(member int) bool) int {
	best := assignor.Nobody
	for _, member := range members {
		if may(member) && (best == assignor.Nobody || g.load[member] < g.load[best]) {
			best = member
		}
	}
	return best
}

func anybody(int) bool { return true }

// byPartition sorts what a member keeps first to the front.
func byPartition(a, b place) int {
	return cmp.Or(cmp.Compare(a.partition, b.partition), cmp.Compare(a.topic, b.topic))
}
