package grouptest

import (
	"net/url"
	"strings"

	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/step"
)

// Join makes a request of a consumer of the classic protocol: member=
// [instance=] [type=] [protocols=range,...] [session=] [rebalance=] [v=], what
// [Subscription] reads, and [garbled] in place of that.
func Join(group string, a Args) *kmsg.JoinGroupRequest {
	r := kmsg.NewPtrJoinGroupRequest()
	r.Version, r.Group, r.ProtocolType, r.MemberID, r.InstanceID = 9, group, step.ConsumerProtocol, a["member"], a.Text("instance")
	r.SessionTimeoutMillis, r.RebalanceTimeoutMillis = 10_000, 5_000
	Take(a, "v", &r.Version)
	Take(a, "session", &r.SessionTimeoutMillis)
	Take(a, "rebalance", &r.RebalanceTimeoutMillis)
	if a.Has("type") {
		r.ProtocolType = a["type"]
	}
	metadata := Subscription(a)
	if a.Has("garbled") {
		metadata = []byte{0, 1, 0}
	}
	for _, name := range a.ListOr("protocols", "range") {
		r.Protocols = append(r.Protocols, kmsg.JoinGroupRequestProtocol{Name: name, Metadata: metadata})
	}
	return r
}

// Subscription is what such a consumer says of itself: topics= [owned=a:0:1,...]
// [generation=] [rack=] [data=].
func Subscription(a Args) []byte {
	subscription := kmsg.NewConsumerMemberMetadata()
	subscription.Version, subscription.Topics, subscription.Rack = 3, a.List("topics"), a.Text("rack")
	Take(a, "generation", &subscription.Generation)
	if a.Has("data") {
		subscription.UserData = []byte(a["data"])
	}
	for _, word := range a.List("owned") {
		owned := kmsg.NewConsumerMemberMetadataOwnedPartition()
		owned.Topic, owned.Partitions = Numbers(word)
		subscription.OwnedPartitions = append(subscription.OwnedPartitions, owned)
	}
	return subscription.AppendTo(nil)
}

// Assignment is a share of such a consumer; the words are TOPIC:0:1.
func Assignment(data []byte, words ...string) []byte {
	assignment := kmsg.NewConsumerMemberAssignment()
	assignment.UserData = data
	for _, word := range words {
		topic := kmsg.NewConsumerMemberAssignmentTopic()
		topic.Topic, topic.Partitions = Numbers(word)
		assignment.Topics = append(assignment.Topics, topic)
	}
	return assignment.AppendTo(nil)
}

// Leave reads members=ID[/INSTANCE],... [v=].
func Leave(group string, a Args) *kmsg.LeaveGroupRequest {
	r := &kmsg.LeaveGroupRequest{Version: 5, Group: group}
	Take(a, "v", &r.Version)
	if r.Version < 3 {
		r.MemberID = a["members"]
		return r
	}
	for _, word := range a.List("members") {
		m := kmsg.NewLeaveGroupRequestMember()
		id, instance, static := strings.Cut(word, "/")
		m.MemberID = id
		if static {
			m.InstanceID = &instance
		}
		r.Members = append(r.Members, m)
	}
	return r
}

// Heartbeat makes one of KIP-848: member= epoch= [topics=a,b] [regex=, ( as %28]
// [owned=a:0:1,b:0 or none] [instance=] [rack=] [assignor=] [rebalance=] [v=]. A
// member that joins says rebalance=5000 owned=none of itself.
func (w *World) Heartbeat(group string, a Args) *kmsg.ConsumerGroupHeartbeatRequest {
	r := kmsg.NewPtrConsumerGroupHeartbeatRequest()
	r.Version, r.Group, r.MemberID, r.MemberEpoch = 1, group, a["member"], a.Number("epoch")
	r.InstanceID, r.RackID, r.ServerAssignor = a.Text("instance"), a.Text("rack"), a.Text("assignor")
	r.SubscribedTopicNames, r.SubscribedTopicRegex = a.List("topics"), unescaped(a.Text("regex"))
	if r.MemberEpoch == 0 {
		r.RebalanceTimeoutMillis, r.Topics = 5000, []kmsg.ConsumerGroupHeartbeatRequestTopic{}
	}
	Take(a, "v", &r.Version)
	Take(a, "rebalance", &r.RebalanceTimeoutMillis)
	if a.Has("owned") {
		r.Topics = []kmsg.ConsumerGroupHeartbeatRequestTopic{}
	}
	for _, word := range a.List("owned") {
		topic := kmsg.NewConsumerGroupHeartbeatRequestTopic()
		name, partitions := Numbers(word)
		topic.TopicID, topic.Partitions = w.Topics[name].ID, partitions
		r.Topics = append(r.Topics, topic)
	}
	return r
}

func unescaped(text *string) *string {
	if text == nil {
		return nil
	}
	plain, err := url.PathUnescape(*text)
	if err != nil {
		panic(err)
	}
	return &plain
}
