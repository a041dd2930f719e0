package roundrobin

import (
	"context"

	"odradek.dev/sdk/assignor"
)

// RoundRobin is an assignor.
type RoundRobin struct{}

// New returns the assignor.
func New() RoundRobin { return RoundRobin{} }

// Assign implements assignor.Assignor.
func (RoundRobin) Assign(ctx context.Context, snapshot assignor.Snapshot) (assignor.Assignment, error) {
	order := snapshot.StaticFirst()
	plan := assignor.NewPlan(snapshot)
	turn := 0
	for topic, members := range snapshot.Subscribers(order) {
		if err := ctx.Err(); err != nil {
			return assignor.Assignment{}, err
		}
		if len(members) == 0 {
			continue
		}
		subscribes := make([]bool, len(snapshot.Members))
		for _, member := range members {
			subscribes[member] = true
		}
		for partition := range snapshot.Topics[topic].Partitions {
			for !subscribes[order[turn]] {
				turn = (turn + 1) % len(order)
			}
			plan.Give(order[turn], topic, partition)
			turn = (turn + 1) % len(order)
		}
	}
	return plan.Assignment(), ctx.Err()
}
