package sticky

import (
	"slices"

	"odradek.dev/sdk/assignor"
)

// claims returns for each topic and partition the member that truly had it. A
// claim counts if the topic and the partition exist and the member still
// subscribes.
func claims(snapshot assignor.Snapshot) [][]int {
	topics := make(map[string]int, len(snapshot.Topics))
	owner := make([][]int, len(snapshot.Topics))
	generation := make([][]int32, len(snapshot.Topics))
	for i, topic := range snapshot.Topics {
		topics[topic.Name] = i
		owner[i] = slices.Repeat([]int{nobody}, int(topic.Partitions))
		generation[i] = slices.Repeat([]int32{-2}, int(topic.Partitions))
	}
	for member, m := range snapshot.Members {
		for _, owned := range m.Owned {
			topic, exists := topics[owned.Topic]
			if _, subscribes := slices.BinarySearch(m.Topics, owned.Topic); !exists || !subscribes {
				continue
			}
			for _, p := range owned.Partitions {
				if p >= 0 && int(p) < len(owner[topic]) {
					claim(&owner[topic][p], &generation[topic][p], member, m.Generation)
				}
			}
		}
	}
	return owner
}

// claim lets the highest generation win. Of two equal ones neither can be
// believed: the partition is then free for anybody.
func claim(owner *int, highest *int32, member int, generation int32) {
	switch {
	case generation > *highest:
		*owner, *highest = member, generation
	case generation == *highest && *owner != member:
		*owner = nobody
	}
}
