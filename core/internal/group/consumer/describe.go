package consumer

import (
	"github.com/twmb/franz-go/pkg/kmsg"
)

// Describe is the group as ConsumerGroupDescribe shows it, the members by
// ascending id.
func (g *Group) Describe() kmsg.ConsumerGroupDescribeResponseGroup {
	described := kmsg.NewConsumerGroupDescribeResponseGroup()
	described.Group, described.State = g.id, g.State()
	described.Epoch, described.AssignmentEpoch = g.epoch, g.targetEpoch
	described.AssignorName = g.assignor()
	for _, m := range g.inOrder() {
		described.Members = append(described.Members, g.describeMember(m))
	}
	return described
}

func (g *Group) describeMember(m *member) kmsg.ConsumerGroupDescribeResponseGroupMember {
	d := kmsg.NewConsumerGroupDescribeResponseGroupMember()
	d.MemberID, d.InstanceID, d.RackID = m.id, m.info.InstanceID, m.info.RackID
	d.MemberEpoch, d.ClientID, d.ClientHost = m.current.epoch, m.info.ClientID, m.info.ClientHost
	// Kafka's describe knows no member without one, but for an empty one.
	d.SubscribedTopics, d.SubscribedTopicRegex = m.topics, kmsg.StringPtr(m.regex())
	// What it is to give up it may have still.
	d.Assignment = g.shown(placesHeld(merge(m.current.assigned, m.current.revoking)))
	d.TargetAssignment = g.shown(m.target)
	if d.MemberType = 0; !m.classic() {
		d.MemberType = 1
	}
	return d
}

// shown leaves out topics that do not exist any more.
func (g *Group) shown(places []place) kmsg.Assignment {
	shown := kmsg.NewAssignment()
	for _, topic := range byTopic(places) {
		name, exists := g.world.TopicName(topic.TopicID)
		if !exists {
			continue
		}
		tp := kmsg.NewAssignmentTopicPartition()
		tp.TopicID, tp.Topic, tp.Partitions = topic.TopicID, name, topic.Partitions
		shown.TopicPartitions = append(shown.TopicPartitions, tp)
	}
	return shown
}
