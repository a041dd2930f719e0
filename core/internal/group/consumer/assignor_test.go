package consumer

import (
	"slices"

	"odradek.dev/sdk/assignor"
)

// spread is an assignor that leaves a partition with its owner while that has
// no more than its share, and gives the others to who has least.
func spread(snapshot assignor.Snapshot) assignor.Assignment {
	plan := assignor.NewPlan(snapshot)
	order := snapshot.StaticFirst()
	for t, subscribers := range snapshot.Subscribers(order) {
		if len(subscribers) == 0 {
			continue
		}
		topic := snapshot.Topics[t]
		most := (int(topic.Partitions) + len(subscribers) - 1) / len(subscribers)
		counts := map[int]int{}
		var left []int32
		for p := range topic.Partitions {
			owner := slices.IndexFunc(subscribers, func(m int) bool { return owns(snapshot.Members[m], topic.Name, p) })
			if owner < 0 || counts[subscribers[owner]] == most {
				left = append(left, p)
				continue
			}
			counts[subscribers[owner]]++
			plan.Give(subscribers[owner], t, p)
		}
		for _, p := range left {
			least := slices.MinFunc(subscribers, func(a, b int) int { return counts[a] - counts[b] })
			counts[least]++
			plan.Give(least, t, p)
		}
	}
	return plan.Assignment()
}

func owns(m assignor.Member, topic string, partition int32) bool {
	return slices.ContainsFunc(m.Owned, func(tp assignor.TopicPartitions) bool {
		return tp.Topic == topic && slices.Contains(tp.Partitions, partition)
	})
}
