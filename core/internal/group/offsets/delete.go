package offsets

import (
	"maps"
	"slices"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/grouplog"
)

// Delete answers OffsetDelete. Offsets of topics that the group subscribes to
// stay. That there is no offset is no error.
func (s *Store) Delete(q *kmsg.OffsetDeleteRequest, subscribed func(topic string) bool) ([]grouplog.Record, *kmsg.OffsetDeleteResponse) {
	var records []grouplog.Record
	response := kmsg.NewPtrOffsetDeleteResponse()
	for _, t := range q.Topics {
		topic := kmsg.NewOffsetDeleteResponseTopic()
		topic.Topic = t.Topic
		kept := subscribed(t.Topic)
		for _, p := range t.Partitions {
			answer := kmsg.NewOffsetDeleteResponseTopicPartition()
			answer.Partition = p.Partition
			if kept {
				answer.ErrorCode = kerr.GroupSubscribedToTopic.Code
			} else if _, ok := s.groups[q.Group][t.Topic][p.Partition]; ok {
				records = append(records, grouplog.Delete(grouplog.OffsetKey{Group: q.Group, Topic: t.Topic, Partition: p.Partition}))
			}
			topic.Partitions = append(topic.Partitions, answer)
		}
		response.Topics = append(response.Topics, topic)
	}
	return records, response
}

// DeleteGroup makes the tombstones of all offsets of a group.
func (s *Store) DeleteGroup(group string) []grouplog.Record {
	return s.deleteWhere(group, func(string, Committed) bool { return true })
}

// DeleteTopic makes the tombstones of the offsets that all groups have for a
// topic that is no more.
func (s *Store) DeleteTopic(name string, id [16]byte) []grouplog.Record {
	var records []grouplog.Record
	for _, group := range slices.Sorted(maps.Keys(s.groups)) {
		if _, any := s.groups[group][name]; !any {
			continue
		}
		records = append(records, s.deleteWhere(group, func(topic string, c Committed) bool { return topic == name && c.isOf(id) })...)
	}
	return records
}

// deleteWhere makes tombstones in order of topic and partition.
func (s *Store) deleteWhere(group string, gone func(topic string, c Committed) bool) []grouplog.Record {
	var records []grouplog.Record
	for _, topic := range slices.Sorted(maps.Keys(s.groups[group])) {
		partitions := s.groups[group][topic]
		for _, number := range slices.Sorted(maps.Keys(partitions)) {
			if gone(topic, partitions[number]) {
				records = append(records, grouplog.Delete(grouplog.OffsetKey{Group: group, Topic: topic, Partition: number}))
			}
		}
	}
	return records
}
