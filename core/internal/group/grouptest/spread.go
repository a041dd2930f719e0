package grouptest

import (
	"slices"

	"odradek.dev/sdk/assignor"
)

// Spread is an assignor that leaves a partition with its owner while that has
// no more than its share, and gives the others to who has least.
func Spread(snapshot assignor.Snapshot) assignor.Assignment {
	plan := assignor.NewPlan(snapshot)
	owners := snapshot.Owners()
	for t, subscribers := range snapshot.Subscribers(snapshot.StaticFirst()) {
		if len(subscribers) == 0 {
			continue
		}
		partitions := snapshot.Topics[t].Partitions
		most := (int(partitions) + len(subscribers) - 1) / len(subscribers)
		counts := map[int]int{}
		var left []int32
		for p := range partitions {
			owner := owners[t][p]
			if !slices.Contains(subscribers, owner) || counts[owner] == most {
				left = append(left, p)
				continue
			}
			counts[owner]++
			plan.Give(owner, t, p)
		}
		for _, p := range left {
			least := slices.MinFunc(subscribers, func(a, b int) int { return counts[a] - counts[b] })
			counts[least]++
			plan.Give(least, t, p)
		}
	}
	return plan.Assignment()
}
