package kgoadapter

import (
	"maps"
	"slices"
	"strings"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/sdk/assignor"
)

// snapshot is a group as a module sees it.
type snapshot struct{ assignor.Snapshot }

func (s *snapshot) find(id string) (int, bool) {
	return slices.BinarySearchFunc(s.Members, id, func(m assignor.Member, id string) int { return strings.Compare(m.ID, id) })
}

// takeSnapshot has what the members said of themselves and what the client
// knows of the cluster. Topics that do not exist have no partitions in topics,
// and are left out.
func takeSnapshot(group *kgo.ConsumerBalancer, topics map[string]int32) snapshot {
	info := group.Info()
	s := snapshot{assignor.Snapshot{Group: info.Group}}
	group.EachMember(func(member *kmsg.JoinGroupResponseMember, meta *kmsg.ConsumerMemberMetadata) {
		s.Members = append(s.Members, takeMember(member, meta, topics))
	})
	slices.SortFunc(s.Members, func(a, b assignor.Member) int { return strings.Compare(a.ID, b.ID) })

	metadata, racks := info.Topics(), racksOf(info.Brokers())
	for _, name := range slices.Sorted(maps.Keys(group.MemberTopics())) {
		if topics[name] > 0 {
			topic := assignor.Topic{Name: name, Partitions: topics[name]}
			topic.Racks = replicaRacks(metadata[name], racks, topic.Partitions)
			s.Topics = append(s.Topics, topic)
		}
	}
	return s
}

func takeMember(member *kmsg.JoinGroupResponseMember, meta *kmsg.ConsumerMemberMetadata, topics map[string]int32) assignor.Member {
	m := assignor.Member{ID: member.MemberID, UserData: meta.UserData, Generation: -1}
	if member.InstanceID != nil {
		m.InstanceID = *member.InstanceID
	}
	if meta.Rack != nil {
		m.Rack = *meta.Rack
	}
	if meta.Version >= 2 {
		m.Generation = meta.Generation
	}
	m.Topics = slices.DeleteFunc(slices.Clone(meta.Topics), func(topic string) bool { return topics[topic] <= 0 })
	slices.Sort(m.Topics)
	m.Topics = slices.Compact(m.Topics)
	m.Owned = takeOwned(meta.OwnedPartitions)
	return m
}

// takeOwned sorts what the member says, and puts together what it says of one
// topic in several places.
func takeOwned(claims []kmsg.ConsumerMemberMetadataOwnedPartition) []assignor.TopicPartitions {
	byTopic := make(map[string][]int32, len(claims))
	for _, claim := range claims {
		byTopic[claim.Topic] = append(byTopic[claim.Topic], claim.Partitions...)
	}
	var owned []assignor.TopicPartitions
	for _, topic := range slices.Sorted(maps.Keys(byTopic)) {
		partitions := byTopic[topic]
		slices.Sort(partitions)
		if partitions = slices.Compact(partitions); len(partitions) > 0 {
			owned = append(owned, assignor.TopicPartitions{Topic: topic, Partitions: partitions})
		}
	}
	return owned
}

func racksOf(brokers map[int32]kgo.BrokerMetadata) map[int32]string {
	racks := make(map[int32]string, len(brokers))
	for id, broker := range brokers {
		if broker.Rack != nil {
			racks[id] = *broker.Rack
		}
	}
	return racks
}

// replicaRacks is empty unless the rack of some replica is known.
func replicaRacks(metadata kgo.TopicMetadata, brokers map[int32]string, partitions int32) [][]string {
	racks := make([][]string, partitions)
	known := false
	for _, p := range metadata.Partitions {
		if p.Partition < 0 || p.Partition >= partitions {
			continue
		}
		for _, replica := range p.Replicas {
			if rack := brokers[replica]; rack != "" {
				racks[p.Partition] = append(racks[p.Partition], rack)
				known = true
			}
		}
		slices.Sort(racks[p.Partition])
		racks[p.Partition] = slices.Compact(racks[p.Partition])
	}
	if !known {
		return nil
	}
	return racks
}
