package main

import (
	"context"
	"strconv"

	"odradek.dev/sdk/assignor"
)

// Weighted gives a member of weight 3 three times what one of weight 1 gets. A
// member's weight is its user data, a number in decimal text; the answer's user
// data is the weight that counted.
type Weighted struct{ defaultWeight int }

// Assign implements assignor.Assignor. Each partition goes to the subscriber
// whose share, with it, is the smallest for its weight.
func (w Weighted) Assign(ctx context.Context, snapshot assignor.Snapshot) (assignor.Assignment, error) {
	weights := make([]int, len(snapshot.Members))
	for i, member := range snapshot.Members {
		weights[i] = w.weight(member.UserData)
	}
	plan := assignor.NewPlan(snapshot)
	for topic, members := range snapshot.Subscribers(snapshot.StaticFirst()) {
		if err := ctx.Err(); err != nil {
			return assignor.Assignment{}, err
		}
		if len(members) == 0 {
			continue
		}
		for partition := range snapshot.Topics[topic].Partitions {
			plan.Give(lightest(plan, members, weights), topic, partition)
		}
	}
	assignment := plan.Assignment()
	for i := range assignment.Members {
		assignment.Members[i].UserData = strconv.AppendInt(nil, int64(weights[i]), 10)
	}
	return assignment, ctx.Err()
}

// lightest compares in whole numbers, so that every machine finds the same.
func lightest(plan *assignor.Plan, members, weights []int) int {
	best := members[0]
	for _, member := range members[1:] {
		if (plan.Count(member)+1)*weights[best] < (plan.Count(best)+1)*weights[member] {
			best = member
		}
	}
	return best
}

// weight never fails: a group must not stand still since one member sent
// something else.
func (w Weighted) weight(userData []byte) int {
	weight, err := strconv.Atoi(string(userData))
	if err != nil || weight < 1 || weight > heaviest {
		return w.defaultWeight
	}
	return weight
}
