package group

import "github.com/twmb/franz-go/pkg/kmsg"

// nowhere is the id of no topic.
var nowhere = [16]byte{0xff}

// name gives a topic of a request its name, or from version 10 on its id.
func (s *scenario) name(version int16, topic string) (name string, id [16]byte) {
	if version < topicIDsSince {
		return topic, id
	}
	if known, exists := s.topics[topic]; exists {
		return "", known.ID
	}
	return "", nowhere
}

// version is the one that a command says, or the last that names topics.
func (a args) version() int16 {
	if a.has("v") {
		return int16(a.number("v"))
	}
	return topicIDsSince - 1
}

// member is who asks, by member= and epoch=; nobody has epoch -1.
func (a args) member() (id string, epoch int32) {
	if !a.has("epoch") {
		return a["member"], -1
	}
	return a["member"], int32(a.number("epoch"))
}

func (s *scenario) commitRequest(id string, a args) *kmsg.OffsetCommitRequest {
	q := kmsg.NewPtrOffsetCommitRequest()
	q.Version, q.Group, q.InstanceID = a.version(), id, a.text("instance")
	q.MemberID, q.Generation = a.member()
	q.RetentionTimeMillis = -1
	if a.has("retention") {
		q.RetentionTimeMillis = int64(a.number("retention"))
	}
	for _, word := range a.list("offsets") {
		name, numbers := numbersIn(word)
		p := kmsg.NewOffsetCommitRequestTopicPartition()
		p.Partition, p.Offset, p.LeaderEpoch, p.Metadata = numbers[0], int64(numbers[1]), -1, a.text("metadata")
		if a.has("leader-epoch") {
			p.LeaderEpoch = int32(a.number("leader-epoch"))
		}
		topic := kmsg.OffsetCommitRequestTopic{Partitions: []kmsg.OffsetCommitRequestTopicPartition{p}}
		topic.Topic, topic.TopicID = s.name(q.Version, name)
		q.Topics = append(q.Topics, topic)
	}
	return q
}

func (s *scenario) fetchRequest(id string, a args) *kmsg.OffsetFetchRequest {
	q := &kmsg.OffsetFetchRequest{Version: a.version()}
	g := kmsg.NewOffsetFetchRequestGroup()
	g.Group, g.MemberID = id, a.text("member")
	_, g.MemberEpoch = a.member()
	for _, word := range a.list("topics") {
		name, numbers := numbersIn(word)
		topic := kmsg.OffsetFetchRequestGroupTopic{Partitions: numbers}
		topic.Topic, topic.TopicID = s.name(q.Version, name)
		g.Topics = append(g.Topics, topic)
	}
	q.Groups = append(q.Groups, g)
	return q
}

func deleteOffsetsRequest(id string, a args) *kmsg.OffsetDeleteRequest {
	q := &kmsg.OffsetDeleteRequest{Group: id}
	for _, word := range a.list("topics") {
		name, numbers := numbersIn(word)
		topic := kmsg.OffsetDeleteRequestTopic{Topic: name}
		for _, number := range numbers {
			topic.Partitions = append(topic.Partitions, kmsg.OffsetDeleteRequestTopicPartition{Partition: number})
		}
		q.Topics = append(q.Topics, topic)
	}
	return q
}
