package ranges

import (
	"context"
	"fmt"
	"slices"

	"odradek.dev/sdk/assignor"
)

// Range is an assignor.
type Range struct{ rackAware bool }

// New returns the assignor.
func New(config Config) Range { return Range{rackAware: config.RackAware} }

// Assign implements assignor.Assignor.
func (r Range) Assign(ctx context.Context, snapshot assignor.Snapshot) (assignor.Assignment, error) {
	if err := ctx.Err(); err != nil {
		return assignor.Assignment{}, err
	}
	plan := assignor.NewPlan(snapshot)
	var shares []*share
	for topic, members := range snapshot.Subscribers(snapshot.StaticFirst()) {
		if len(members) > 0 {
			shares = append(shares, newShare(snapshot, plan, topic, members))
		}
	}
	if r.rackAware && slices.ContainsFunc(shares, func(s *share) bool { return s.byRack }) {
		for _, alike := range copartitioned(shares) {
			if err := giveByRack(ctx, alike); err != nil {
				return assignor.Assignment{}, err
			}
		}
	}
	for _, s := range shares {
		s.giveRest()
	}
	return plan.Assignment(), ctx.Err()
}

// copartitioned groups the topics that have equal subscribers and equal numbers
// of partitions.
func copartitioned(shares []*share) [][]*share {
	index := make(map[string]int)
	var groups [][]*share
	for _, s := range shares {
		key := fmt.Sprint(len(s.free), s.members)
		at, known := index[key]
		if !known {
			at = len(groups)
			index[key] = at
			groups = append(groups, nil)
		}
		groups[at] = append(groups[at], s)
	}
	return groups
}

// giveByRack gives what members and partitions of one rack allow. What it
// leaves is given regardless of racks afterwards.
func giveByRack(ctx context.Context, alike []*share) error {
	switch {
	case len(alike) == 1 && alike[0].byRack:
		return alike[0].giveMatching(ctx)
	case len(alike) > 1 && alike[0].anyRack:
		return giveTogether(ctx, alike)
	}
	return nil
}

// giveTogether gives a member the same partition of all the topics, if it suits
// the member in each. It is for every group of equal topics once racks make a
// difference to any topic, since that is when Java does it.
func giveTogether(ctx context.Context, alike []*share) error {
	for partition := range int32(len(alike[0].free)) {
		if err := ctx.Err(); err != nil {
			return err
		}
		for at := range alike[0].members {
			if !allCanGive(alike, at, partition) {
				continue
			}
			for _, s := range alike {
				s.hand(at, partition)
			}
			break
		}
	}
	return nil
}

func allCanGive(alike []*share, at int, partition int32) bool {
	for _, s := range alike {
		if s.room(at) == 0 || !s.matches(at, partition) {
			return false
		}
	}
	return true
}
