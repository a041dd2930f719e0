package kafkasticky

import (
	"context"
	"slices"

	"odradek.dev/sdk/assignor"
)

// quota is how far members of equal subscriptions are filled.
type quota struct {
	*group
	// least is what every member gets, most what those get that have one more;
	// they are equal if the partitions come out even.
	least, most int
	// places is how many members may still get to most. None may if least and
	// most are equal.
	places int
	// under are members that have less than least, and atLeast those that have
	// exactly that and may get one more.
	under, atLeast []int
}

func (g *group) assignByQuota(ctx context.Context) error {
	if len(g.load) == 0 {
		return ctx.Err()
	}
	all := 0
	var topics []int
	for topic, members := range g.subscribers {
		if len(members) > 0 {
			all += len(g.owner[topic])
			topics = append(topics, topic)
		}
	}
	members := len(g.load)
	q := &quota{group: g, least: all / members, most: (all + members - 1) / members, places: all % members}
	q.keep()
	free := g.free(topics)
	slices.Sort(q.under)
	slices.Sort(q.atLeast)
	g.racks.hardestFirst(free)
	free, err := q.fillByRack(ctx, free)
	if err != nil {
		return err
	}
	return q.fill(ctx, free)
}

// keep lets members keep what they own, up to their quota.
func (q *quota) keep() {
	owned := q.owned()
	for _, member := range q.order {
		places := owned[member]
		slices.SortFunc(places, byPartition)
		kept := len(places)
		switch {
		case len(places) < q.least:
			q.under = append(q.under, member)
		case len(places) >= q.most && q.places > 0:
			kept = q.most
			q.reachMost()
		default:
			kept = q.least
			if q.places > 0 {
				q.atLeast = append(q.atLeast, member)
			}
		}
		for _, at := range places[:kept] {
			q.give(at, member)
		}
	}
}

// owned is what each member has and may keep.
func (q *quota) owned() [][]place {
	owned := make([][]place, len(q.load))
	for topic, owners := range q.claims.owner {
		for partition, owner := range owners {
			at := place{topic, partition}
			if owner != assignor.Nobody && !q.racks.mismatch(owner, at) && !q.claims.disputed[at] {
				owned[owner] = append(owned[owner], at)
			}
		}
	}
	return owned
}

// reachMost notes that one more member has most. When no more may, those that
// have least are done.
func (q *quota) reachMost() {
	if q.places--; q.places == 0 {
		q.atLeast = nil
	}
}

// fillByRack gives members what is in their racks, in turn, and returns the
// rest.
func (q *quota) fillByRack(ctx context.Context, free []place) ([]place, error) {
	if !q.racks.aware {
		return free, nil
	}
	var rest []place
	next := 0
	for _, at := range free {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if i := q.inRack(at, q.under, next); i >= 0 {
			next = q.fillUnder(at, i)
		} else if i := q.inRack(at, q.atLeast, 0); i >= 0 {
			q.give(at, q.atLeast[i])
			q.atLeast = slices.Delete(q.atLeast, i, i+1)
			q.reachMost()
		} else {
			rest = append(rest, at)
		}
	}
	return rest, nil
}

// inRack looks, from a place in the list on and around it, for a member that
// has a rack in which the partition is. It returns where, or -1.
func (q *quota) inRack(at place, members []int, from int) int {
	for i := range members {
		if i = (from + i) % len(members); q.racks.match(members[i], at) {
			return i
		}
	}
	return -1
}

// fillUnder gives the partition to the member at a place of under, and returns
// the place of the one whose turn is next.
func (q *quota) fillUnder(at place, i int) int {
	member := q.under[i]
	q.give(at, member)
	if q.load[member] < q.least {
		i++
	} else {
		q.under = slices.Delete(q.under, i, i+1)
		if q.load[member] < q.most && q.places > 0 {
			q.atLeast = append(q.atLeast, member)
		}
	}
	if len(q.under) == 0 {
		return 0
	}
	return i % len(q.under)
}

// fill gives what is left in turn to members that have less than least, and
// when there are none to those that may get one more.
func (q *quota) fill(ctx context.Context, free []place) error {
	next := 0
	for _, at := range free {
		if err := ctx.Err(); err != nil {
			return err
		}
		if len(q.under) == 0 {
			q.give(at, q.atLeast[0])
			q.atLeast = q.atLeast[1:]
			continue
		}
		if next >= len(q.under) {
			next = 0
		}
		member := q.under[next]
		q.give(at, member)
		if q.load[member] < q.least {
			next++
			continue
		}
		q.under = slices.Delete(q.under, next, next+1)
		q.atLeast = append(q.atLeast, member)
	}
	return nil
}
