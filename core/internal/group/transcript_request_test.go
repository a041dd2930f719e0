package group

import (
	"strings"

	"github.com/cockroachdb/datadriven"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/step"
)

// request makes the request of a command in the newest version, nil if there is
// no such command.
func (s *scenario) request(d *datadriven.TestData, a args) kmsg.Request {
	id := "g"
	if a.has("group") {
		id = a["group"]
	}
	switch d.Cmd {
	case "join":
		return joinRequest(id, a)
	case "sync":
		return syncRequest(id, d.Input, a)
	case "beat":
		return &kmsg.HeartbeatRequest{Version: 4, Group: id, MemberID: a["member"], InstanceID: a.text("instance"), Generation: int32(a.number("generation"))}
	case "leave":
		q := &kmsg.LeaveGroupRequest{Version: 5, Group: id}
		for _, word := range a.list("members") {
			m := kmsg.NewLeaveGroupRequestMember()
			var instance string
			if m.MemberID, instance, _ = strings.Cut(word, "/"); instance != "" {
				m.InstanceID = &instance
			}
			q.Members = append(q.Members, m)
		}
		return q
	case "heartbeat":
		return s.heartbeatRequest(id, a)
	case "commit":
		return s.commitRequest(id, a)
	case "fetch":
		return s.fetchRequest(id, a)
	case "delete-offsets":
		return deleteOffsetsRequest(id, a)
	}
	return aboutGroups(d)
}

// aboutGroups is for the commands that name groups in their words.
func aboutGroups(d *datadriven.TestData) kmsg.Request {
	var groups []string
	for _, arg := range d.CmdArgs {
		switch {
		case arg.Key == "none":
			groups = append(groups, "")
		case len(arg.Vals) == 0:
			groups = append(groups, arg.Key)
		}
	}
	switch d.Cmd {
	case "delete-groups":
		return &kmsg.DeleteGroupsRequest{Version: 3, Groups: groups}
	case "describe":
		return &kmsg.DescribeGroupsRequest{Version: 6, Groups: groups}
	case "describe-consumer":
		return &kmsg.ConsumerGroupDescribeRequest{Version: 1, Groups: groups}
	}
	return nil
}

func joinRequest(id string, a args) *kmsg.JoinGroupRequest {
	q := kmsg.NewPtrJoinGroupRequest()
	q.Version, q.Group, q.ProtocolType, q.MemberID, q.InstanceID = 9, id, step.ConsumerProtocol, a["member"], a.text("instance")
	q.SessionTimeoutMillis, q.RebalanceTimeoutMillis = 10_000, 5_000
	if a.has("type") {
		q.ProtocolType = a["type"]
	}
	if a.has("session") {
		q.SessionTimeoutMillis = int32(a.number("session"))
	}
	subscription := kmsg.NewConsumerMemberMetadata()
	subscription.Version, subscription.Topics, subscription.Generation = 3, a.list("topics"), int32(a.number("generation"))
	for _, word := range a.list("owned") {
		owned := kmsg.NewConsumerMemberMetadataOwnedPartition()
		owned.Topic, owned.Partitions = numbersIn(word)
		subscription.OwnedPartitions = append(subscription.OwnedPartitions, owned)
	}
	metadata := subscription.AppendTo(nil)
	if a.has("garbled") {
		metadata = []byte{0, 1, 0}
	}
	names := []string{"range"}
	if a.has("protocols") {
		names = a.list("protocols")
	}
	for _, name := range names {
		q.Protocols = append(q.Protocols, kmsg.JoinGroupRequestProtocol{Name: name, Metadata: metadata})
	}
	return q
}

func syncRequest(id, input string, a args) *kmsg.SyncGroupRequest {
	kind, protocol := step.ConsumerProtocol, "range"
	if a.has("type") {
		kind = a["type"]
	}
	q := &kmsg.SyncGroupRequest{Version: 5, Group: id, MemberID: a["member"], InstanceID: a.text("instance"), Generation: int32(a.number("generation"))}
	q.ProtocolType, q.Protocol = &kind, &protocol
	for line := range strings.Lines(input) {
		words := strings.Fields(line)
		assignment := kmsg.NewConsumerMemberAssignment()
		for _, word := range words[1:] {
			topic := kmsg.NewConsumerMemberAssignmentTopic()
			topic.Topic, topic.Partitions = numbersIn(word)
			assignment.Topics = append(assignment.Topics, topic)
		}
		q.GroupAssignment = append(q.GroupAssignment, kmsg.SyncGroupRequestGroupAssignment{
			MemberID: words[0], MemberAssignment: assignment.AppendTo(nil),
		})
	}
	return q
}

// heartbeatRequest says of a member that joins all that one has to say.
func (s *scenario) heartbeatRequest(id string, a args) *kmsg.ConsumerGroupHeartbeatRequest {
	q := kmsg.NewPtrConsumerGroupHeartbeatRequest()
	q.Version, q.Group, q.MemberID, q.MemberEpoch = 1, id, a["member"], int32(a.number("epoch"))
	q.InstanceID, q.ServerAssignor = a.text("instance"), a.text("assignor")
	q.SubscribedTopicNames, q.SubscribedTopicRegex = a.list("topics"), a.text("regex")
	if q.MemberEpoch == 0 {
		q.RebalanceTimeoutMillis, q.Topics = 5000, []kmsg.ConsumerGroupHeartbeatRequestTopic{}
	}
	if a.has("owned") {
		q.Topics = []kmsg.ConsumerGroupHeartbeatRequestTopic{}
		for _, word := range a.list("owned") {
			name, partitions := numbersIn(word)
			topic := kmsg.NewConsumerGroupHeartbeatRequestTopic()
			topic.TopicID, topic.Partitions = s.topics[name].ID, partitions
			q.Topics = append(q.Topics, topic)
		}
	}
	return q
}
