package assignor

import (
	"bytes"
	"slices"

	"odradek.dev/sdk/module"
)

// Unchanged reports whether after is before once its members consume what they
// were given: who is in the group, what they subscribe to, say of themselves
// and where they are, and all that is known of the topics is as it was, and
// each member owns just its part of given. There is then nothing to decide, and
// a host need not ask. How old a claim is does not matter.
func Unchanged(before Snapshot, given Assignment, after Snapshot) bool {
	if len(given.Members) != len(after.Members) {
		return false
	}
	for i, member := range after.Members {
		if !slices.EqualFunc(member.Owned, given.Members[i].Partitions, sameTopicPartitions) {
			return false
		}
	}
	return before.Group == after.Group && slices.EqualFunc(before.Members, after.Members, sameMember) &&
		slices.EqualFunc(before.Topics, after.Topics, sameTopic)
}

// CheckUnchanged reports that an assignor moved partitions though nothing
// changed: given is what it answered to before itself, and again what it answers
// to after. A host that asks anyway lets given stand.
func CheckUnchanged(before Snapshot, given Assignment, after Snapshot, again Assignment) error {
	if !Unchanged(before, given, after) {
		return nil
	}
	for i, member := range given.Members {
		if i >= len(again.Members) || !slices.EqualFunc(member.Partitions, again.Members[i].Partitions, sameTopicPartitions) {
			return module.Fatalf("assignor gave member %q other partitions than before, though nothing changed", after.Members[i].ID)
		}
	}
	return nil
}

func sameTopicPartitions(a, b TopicPartitions) bool {
	return a.Topic == b.Topic && slices.Equal(a.Partitions, b.Partitions)
}

func sameMember(a, b Member) bool {
	return a.ID == b.ID && a.InstanceID == b.InstanceID && a.Rack == b.Rack &&
		slices.Equal(a.Topics, b.Topics) && bytes.Equal(a.UserData, b.UserData)
}

func sameTopic(a, b Topic) bool {
	return a.Name == b.Name && a.Partitions == b.Partitions && slices.Equal(a.Lags, b.Lags) &&
		slices.EqualFunc(a.Racks, b.Racks, slices.Equal[[]string])
}
