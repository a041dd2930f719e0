package assignor

import "slices"

// Nobody stands where the index of a member could.
const Nobody = -1

// Owners returns for each topic and partition, by index, the member that truly
// had it, by index, or [Nobody]. A claim counts if the topic and the partition
// exist and the member still subscribes. Of several claims that of the highest
// generation is true; if two have it, neither can be believed.
func (s *Snapshot) Owners() [][]int {
	topics := make(map[string]int, len(s.Topics))
	owner := make([][]int, len(s.Topics))
	generation := make([][]int32, len(s.Topics))
	for i, topic := range s.Topics {
		topics[topic.Name] = i
		owner[i] = slices.Repeat([]int{Nobody}, int(topic.Partitions))
		generation[i] = slices.Repeat([]int32{-2}, int(topic.Partitions))
	}
	for member, m := range s.Members {
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

func claim(owner *int, highest *int32, member int, generation int32) {
	switch {
	case generation > *highest:
		*owner, *highest = member, generation
	case generation == *highest && *owner != member:
		*owner = Nobody
	}
}
