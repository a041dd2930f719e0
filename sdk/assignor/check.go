package assignor

import (
	"slices"

	"odradek.dev/sdk/module"
)

// Check reports what keeps an assignment from being exact: what the host
// checks on every call, and the conformance suite too. An exact assignment has
// an entry for each member, gives each partition of each topic that somebody
// subscribes to exactly once and only to a subscriber, gives nothing else, and
// is sorted.
func Check(snapshot Snapshot, assignment Assignment) error {
	if len(assignment.Members) != len(snapshot.Members) {
		return module.Fatalf("assignor answered for %d members of %d", len(assignment.Members), len(snapshot.Members))
	}
	given := make(map[string][]bool, len(snapshot.Topics))
	for _, topic := range snapshot.Topics {
		given[topic.Name] = make([]bool, topic.Partitions)
	}
	for i, member := range snapshot.Members {
		if err := checkMember(member, assignment.Members[i].Partitions, given); err != nil {
			return err
		}
	}
	return checkNothingLeft(snapshot, given)
}

// checkMember notes in given what the member got.
func checkMember(member Member, got []TopicPartitions, given map[string][]bool) error {
	for i, tp := range got {
		if i > 0 && got[i-1].Topic >= tp.Topic {
			return module.Fatalf("assignor gave member %q topic %q after %q; topics must ascend", member.ID, tp.Topic, got[i-1].Topic)
		}
		partitions, exists := given[tp.Topic]
		if _, subscribes := slices.BinarySearch(member.Topics, tp.Topic); !exists || !subscribes {
			return module.Fatalf("assignor gave member %q topic %q, to which it does not subscribe", member.ID, tp.Topic)
		}
		if len(tp.Partitions) == 0 {
			return module.Fatalf("assignor gave member %q no partition of topic %q; leave the topic out", member.ID, tp.Topic)
		}
		for j, p := range tp.Partitions {
			switch {
			case j > 0 && tp.Partitions[j-1] >= p:
				return module.Fatalf("assignor gave member %q partition %d of topic %q after %d; partitions must ascend", member.ID, p, tp.Topic, tp.Partitions[j-1])
			case p < 0 || int(p) >= len(partitions):
				return module.Fatalf("assignor gave member %q partition %d of topic %q, which has %d", member.ID, p, tp.Topic, len(partitions))
			case partitions[p]:
				return module.Fatalf("assignor gave partition %d of topic %q to two members, the second is %q", p, tp.Topic, member.ID)
			}
			partitions[p] = true
		}
	}
	return nil
}

func checkNothingLeft(snapshot Snapshot, given map[string][]bool) error {
	subscribed := make(map[string]bool, len(snapshot.Topics))
	for _, member := range snapshot.Members {
		for _, topic := range member.Topics {
			subscribed[topic] = true
		}
	}
	for _, topic := range snapshot.Topics {
		if left := slices.Index(given[topic.Name], false); left >= 0 && subscribed[topic.Name] {
			return module.Fatalf("assignor gave partition %d of topic %q to nobody", left, topic.Name)
		}
	}
	return nil
}
