package uniform

import (
	"context"
	"slices"

	"odradek.dev/sdk/assignor"
)

// Uniform is an assignor.
type Uniform struct{}

// New returns the assignor.
func New() Uniform { return Uniform{} }

// Assign implements assignor.Assignor.
func (Uniform) Assign(ctx context.Context, snapshot assignor.Snapshot) (assignor.Assignment, error) {
	plan := assignor.NewPlan(snapshot)
	if len(snapshot.Members) == 0 {
		return plan.Assignment(), ctx.Err()
	}
	assign := assignByLevel
	if allAlike(snapshot.Members) {
		assign = assignByQuota
	}
	if err := assign(ctx, snapshot, plan); err != nil {
		return assignor.Assignment{}, err
	}
	return plan.Assignment(), nil
}

// allAlike reports whether all members subscribe to the same topics.
func allAlike(members []assignor.Member) bool {
	return !slices.ContainsFunc(members, func(m assignor.Member) bool { return !slices.Equal(m.Topics, members[0].Topics) })
}

// ascending is the members by index.
func ascending(members int) []int {
	order := make([]int, members)
	for i := range order {
		order[i] = i
	}
	return order
}
