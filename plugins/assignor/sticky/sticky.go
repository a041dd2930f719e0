package sticky

import (
	"context"

	"odradek.dev/sdk/assignor"
)

// Sticky is an assignor.
type Sticky struct{}

// New returns the assignor.
func New() Sticky { return Sticky{} }

// Assign implements assignor.Assignor.
func (Sticky) Assign(ctx context.Context, snapshot assignor.Snapshot) (assignor.Assignment, error) {
	g := newGroup(snapshot)
	g.keep()
	if err := g.fill(ctx); err != nil {
		return assignor.Assignment{}, err
	}
	if err := g.balance(ctx); err != nil {
		return assignor.Assignment{}, err
	}
	plan := assignor.NewPlan(snapshot)
	for topic, owners := range g.owner {
		for partition, member := range owners {
			if member != nobody {
				plan.Give(member, topic, int32(partition))
			}
		}
	}
	return plan.Assignment(), nil
}
