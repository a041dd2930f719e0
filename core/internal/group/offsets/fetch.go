package offsets

import (
	"maps"
	"slices"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// Names finds the ids of topics that exist.
type Names func(topic string) (id [16]byte, ok bool)

// Fetch answers for one group. No list of topics means all that the group has
// offsets for. What was never committed is answered with offset -1.
func (s *Store) Fetch(q *kmsg.OffsetFetchRequestGroup, names Names) kmsg.OffsetFetchResponseGroup {
	response := kmsg.NewOffsetFetchResponseGroup()
	response.Group = q.Group
	if q.Topics == nil {
		response.Topics = s.fetchAll(q.Group, names)
		return response
	}
	for _, t := range q.Topics {
		topic := kmsg.NewOffsetFetchResponseGroupTopic()
		topic.Topic, topic.TopicID = t.Topic, t.TopicID
		id := t.TopicID
		if id == ([16]byte{}) {
			id, _ = names(t.Topic)
		}
		for _, number := range t.Partitions {
			c, ok := s.find(q.Group, t.Topic, id, number)
			topic.Partitions = append(topic.Partitions, fetched(number, c, ok))
		}
		response.Topics = append(response.Topics, topic)
	}
	return response
}

// fetchAll has the topics and partitions in order, so that an answer can be
// compared with another.
func (s *Store) fetchAll(group string, names Names) []kmsg.OffsetFetchResponseGroupTopic {
	all := []kmsg.OffsetFetchResponseGroupTopic{}
	for _, name := range slices.Sorted(maps.Keys(s.groups[group])) {
		partitions := s.groups[group][name]
		topic := kmsg.NewOffsetFetchResponseGroupTopic()
		topic.Topic = name
		topic.TopicID, _ = names(name)
		for _, number := range slices.Sorted(maps.Keys(partitions)) {
			if c := partitions[number]; c.isOf(topic.TopicID) {
				topic.Partitions = append(topic.Partitions, fetched(number, c, true))
			}
		}
		if len(topic.Partitions) > 0 {
			all = append(all, topic)
		}
	}
	return all
}

func fetched(number int32, c Committed, ok bool) kmsg.OffsetFetchResponseGroupTopicPartition {
	p := kmsg.NewOffsetFetchResponseGroupTopicPartition()
	p.Partition, p.Offset, p.LeaderEpoch = number, -1, -1
	metadata := ""
	if ok {
		p.Offset, p.LeaderEpoch, metadata = c.Offset, c.LeaderEpoch, c.Metadata
	}
	p.Metadata = &metadata
	return p
}

// RefuseFetch answers for a group of which nothing can be said.
func RefuseFetch(q *kmsg.OffsetFetchRequestGroup, kind *kerr.Error) kmsg.OffsetFetchResponseGroup {
	response := kmsg.NewOffsetFetchResponseGroup()
	response.Group, response.ErrorCode = q.Group, kind.Code
	return response
}
