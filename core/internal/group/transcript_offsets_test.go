package group

import (
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/grouptest"
)

// nowhere is the id of no topic.
var nowhere = [16]byte{0xff}

// name gives a topic of a request its name, or from version 10 on its id.
func (s *scenario) name(version int16, topic string) (name string, id [16]byte) {
	if version < topicIDsSince {
		return topic, id
	}
	if known, exists := s.Topics[topic]; exists {
		return "", known.ID
	}
	return "", nowhere
}

// versionIn is the one that a command says, or the last that names topics.
func versionIn(a grouptest.Args) int16 {
	if a.Has("v") {
		return int16(a.Number("v"))
	}
	return topicIDsSince - 1
}

// memberIn is who asks, by member= and epoch=; nobody has epoch -1.
func memberIn(a grouptest.Args) (id string, epoch int32) {
	if !a.Has("epoch") {
		return a["member"], -1
	}
	return a["member"], a.Number("epoch")
}

func (s *scenario) commitRequest(id string, a grouptest.Args) *kmsg.OffsetCommitRequest {
	q := kmsg.NewPtrOffsetCommitRequest()
	q.Version, q.Group, q.InstanceID = versionIn(a), id, a.Text("instance")
	q.MemberID, q.Generation = memberIn(a)
	q.RetentionTimeMillis = -1
	if a.Has("retention") {
		q.RetentionTimeMillis = int64(a.Number("retention"))
	}
	for _, word := range a.List("offsets") {
		name, numbers := grouptest.Numbers(word)
		p := kmsg.NewOffsetCommitRequestTopicPartition()
		p.Partition, p.Offset, p.LeaderEpoch, p.Metadata = numbers[0], int64(numbers[1]), -1, a.Text("metadata")
		if a.Has("leader-epoch") {
			p.LeaderEpoch = a.Number("leader-epoch")
		}
		topic := kmsg.OffsetCommitRequestTopic{Partitions: []kmsg.OffsetCommitRequestTopicPartition{p}}
		topic.Topic, topic.TopicID = s.name(q.Version, name)
		q.Topics = append(q.Topics, topic)
	}
	return q
}

func (s *scenario) fetchRequest(id string, a grouptest.Args) *kmsg.OffsetFetchRequest {
	q := &kmsg.OffsetFetchRequest{Version: versionIn(a)}
	g := kmsg.NewOffsetFetchRequestGroup()
	g.Group, g.MemberID = id, a.Text("member")
	_, g.MemberEpoch = memberIn(a)
	for _, word := range a.List("topics") {
		name, numbers := grouptest.Numbers(word)
		topic := kmsg.OffsetFetchRequestGroupTopic{Partitions: numbers}
		topic.Topic, topic.TopicID = s.name(q.Version, name)
		g.Topics = append(g.Topics, topic)
	}
	q.Groups = append(q.Groups, g)
	return q
}

func deleteOffsetsRequest(id string, a grouptest.Args) *kmsg.OffsetDeleteRequest {
	q := &kmsg.OffsetDeleteRequest{Group: id}
	for _, word := range a.List("topics") {
		name, numbers := grouptest.Numbers(word)
		topic := kmsg.OffsetDeleteRequestTopic{Topic: name}
		for _, number := range numbers {
			topic.Partitions = append(topic.Partitions, kmsg.OffsetDeleteRequestTopicPartition{Partition: number})
		}
		q.Topics = append(q.Topics, topic)
	}
	return q
}
