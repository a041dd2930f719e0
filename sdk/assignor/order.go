package assignor

import (
	"cmp"
	"slices"
)

// StaticFirst returns the indexes of the members in the order in which Kafka's
// clients take them: those with an instance ID first and by it, the others by
// member ID. A static member keeps its place, and so what it consumes, when it
// restarts under a new member ID.
func (s *Snapshot) StaticFirst() []int {
	order := make([]int, len(s.Members))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return staticFirst(&s.Members[a], &s.Members[b]) })
	return order
}

func staticFirst(a, b *Member) int {
	switch {
	case a.InstanceID != "" && b.InstanceID != "":
		return cmp.Or(cmp.Compare(a.InstanceID, b.InstanceID), cmp.Compare(a.ID, b.ID))
	case a.InstanceID != "":
		return -1
	case b.InstanceID != "":
		return 1
	}
	return cmp.Compare(a.ID, b.ID)
}

// Subscribers returns for each topic the members that subscribe to it, all by
// index; the members stand as in order.
func (s *Snapshot) Subscribers(order []int) [][]int {
	index := make(map[string]int, len(s.Topics))
	for i, topic := range s.Topics {
		index[topic.Name] = i
	}
	subscribers := make([][]int, len(s.Topics))
	for _, member := range order {
		for _, name := range s.Members[member].Topics {
			if topic, ok := index[name]; ok {
				subscribers[topic] = append(subscribers[topic], member)
			}
		}
	}
	return subscribers
}
