package explain

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"odradek.dev/sdk/assignor"

	"odradek.dev/tools/odradek/internal/partitionlist"
)

// parseGroup reads the group that the flags describe, in the order that the
// contract of assignors asks for.
func parseGroup(topics, members, owned []string) (assignor.Snapshot, error) {
	snapshot := assignor.Snapshot{Group: "explain"}
	for _, text := range topics {
		topic, err := parseTopic(text)
		if err != nil {
			return snapshot, err
		}
		snapshot.Topics = append(snapshot.Topics, topic)
	}
	slices.SortFunc(snapshot.Topics, func(a, b assignor.Topic) int { return cmp.Compare(a.Name, b.Name) })
	for _, text := range members {
		member, err := parseMember(text, snapshot.Topics)
		if err != nil {
			return snapshot, err
		}
		snapshot.Members = append(snapshot.Members, member)
	}
	slices.SortFunc(snapshot.Members, func(a, b assignor.Member) int { return cmp.Compare(a.ID, b.ID) })
	for _, text := range owned {
		if err := addOwned(text, snapshot.Members); err != nil {
			return snapshot, err
		}
	}
	return snapshot, checkUnique(snapshot)
}

func parseTopic(text string) (assignor.Topic, error) {
	name, count, _ := strings.Cut(text, "=")
	partitions, err := strconv.ParseInt(count, 10, 32)
	if err != nil || name == "" || partitions < 1 || partitions > partitionlist.Max {
		return assignor.Topic{}, fmt.Errorf("--topic %q is not NAME=PARTITIONS, as in orders=6", text)
	}
	return assignor.Topic{Name: name, Partitions: int32(partitions)}, nil
}

func parseMember(text string, topics []assignor.Topic) (assignor.Member, error) {
	id, list, chosen := strings.Cut(text, "=")
	if id == "" {
		return assignor.Member{}, fmt.Errorf("--member %q is not ID or ID=TOPIC,TOPIC", text)
	}
	member := assignor.Member{ID: id, Generation: -1}
	if !chosen {
		for _, topic := range topics {
			member.Topics = append(member.Topics, topic.Name)
		}
		return member, nil
	}
	for name := range strings.SplitSeq(list, ",") {
		if !slices.ContainsFunc(topics, func(t assignor.Topic) bool { return t.Name == name }) {
			return member, fmt.Errorf("--member %q subscribes to topic %q, which no --topic describes", text, name)
		}
		member.Topics = append(member.Topics, name)
	}
	slices.Sort(member.Topics)
	member.Topics = slices.Compact(member.Topics)
	return member, nil
}

func addOwned(text string, members []assignor.Member) error {
	id, what, _ := strings.Cut(text, "=")
	topic, list, _ := strings.Cut(what, ":")
	partitions, err := partitionlist.Parse(list)
	if err != nil || topic == "" {
		return fmt.Errorf("--owned %q is not ID=TOPIC:PARTITIONS, as in a=orders:0,2-5", text)
	}
	member, err := memberNamed(members, id, "owned", text)
	if err != nil {
		return err
	}
	member.Owned = append(member.Owned, assignor.TopicPartitions{Topic: topic, Partitions: partitions})
	member.Generation = 1
	slices.SortFunc(member.Owned, func(a, b assignor.TopicPartitions) int { return cmp.Compare(a.Topic, b.Topic) })
	return nil
}

// memberNamed is the member that the text of a flag is about.
func memberNamed(members []assignor.Member, id, flag, text string) (*assignor.Member, error) {
	at := slices.IndexFunc(members, func(m assignor.Member) bool { return m.ID == id })
	if at < 0 {
		return nil, fmt.Errorf("--%s %q names member %q, which no --member describes", flag, text, id)
	}
	return &members[at], nil
}

func checkUnique(snapshot assignor.Snapshot) error {
	for i := 1; i < len(snapshot.Topics); i++ {
		if snapshot.Topics[i].Name == snapshot.Topics[i-1].Name {
			return fmt.Errorf("--topic %s stands twice", snapshot.Topics[i].Name)
		}
	}
	for i := 1; i < len(snapshot.Members); i++ {
		if snapshot.Members[i].ID == snapshot.Members[i-1].ID {
			return fmt.Errorf("--member %s stands twice", snapshot.Members[i].ID)
		}
	}
	return nil
}
