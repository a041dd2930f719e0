package consumer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/classic"
	"odradek.dev/core/internal/group/step"
)

func (s *scenario) classic(t *testing.T, d *datadriven.TestData, a args, client step.Client, out *step.Output) string {
	switch d.Cmd {
	case "join":
		s.group.JoinClassic(s.now, s.token, client, joinRequest(a), out)
	case "sync":
		r := kmsg.NewPtrSyncGroupRequest()
		r.MemberID, r.InstanceID, r.Generation, r.Protocol = a["member"], a.text("instance"), int32(a.number("generation")), a.text("protocol")
		s.group.SyncClassic(s.now, s.token, r, out)
	case "beat":
		r := kmsg.NewPtrHeartbeatRequest()
		r.MemberID, r.InstanceID, r.Generation = a["member"], a.text("instance"), int32(a.number("generation"))
		s.group.HeartbeatClassic(s.now, s.token, r, out)
	case "leave":
		s.group.LeaveClassic(s.now, s.token, leaveRequest(a), out)
	case "upgrade":
		return s.upgrade(d.Input, a, client, out)
	case "downgrade":
		text := fmt.Sprintf("downgradable: %v\n", s.group.Downgradable())
		generation, members, rebalance := s.group.ToClassic(out)
		text += fmt.Sprintf("rebalance: %v\n", rebalance)
		for _, m := range members {
			text += fmt.Sprintf("generation %d: %s has %s\n", generation, m.ID, assignmentText(m.Assignment))
		}
		return text
	}
	return ""
}

func joinRequest(a args) *kmsg.JoinGroupRequest {
	r := kmsg.NewPtrJoinGroupRequest()
	r.Version, r.Group, r.ProtocolType = 9, "g", step.ConsumerProtocol
	r.MemberID, r.InstanceID, r.SessionTimeoutMillis, r.RebalanceTimeoutMillis = a["member"], a.text("instance"), 10_000, 5_000
	if a.has("type") {
		r.ProtocolType = a["type"]
	}
	if a.has("v") {
		r.Version = int16(a.number("v"))
	}
	names := []string{"range"}
	if a.has("protocols") {
		names = a.list("protocols")
	}
	for _, name := range names {
		protocol := kmsg.NewJoinGroupRequestProtocol()
		protocol.Name, protocol.Metadata = name, subscriptionOf(a)
		if a.has("garbled") {
			protocol.Metadata = []byte{0, 1, 0}
		}
		r.Protocols = append(r.Protocols, protocol)
	}
	return r
}

func subscriptionOf(a args) []byte {
	subscription := kmsg.NewConsumerMemberMetadata()
	subscription.Version = 3
	subscription.Topics = a.list("topics")
	if a.has("data") {
		subscription.UserData = []byte(a["data"])
	}
	if a.has("owned") {
		for _, word := range a.list("owned") {
			owned := kmsg.NewConsumerMemberMetadataOwnedPartition()
			owned.Topic, owned.Partitions = partitionsIn(word)
			subscription.OwnedPartitions = append(subscription.OwnedPartitions, owned)
		}
	}
	return subscription.AppendTo(nil)
}

func leaveRequest(a args) *kmsg.LeaveGroupRequest {
	r := kmsg.NewPtrLeaveGroupRequest()
	r.Version = 5
	if a.has("v") {
		r.Version = int16(a.number("v"))
		r.MemberID = a["members"]
		return r
	}
	for _, word := range a.list("members") {
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

// upgrade reads a member a line: ID topics=a,b assignment=a:0:1.
func (s *scenario) upgrade(input string, a args, client step.Client, out *step.Output) string {
	from := Classic{ProtocolType: step.ConsumerProtocol, Protocol: "range", Generation: int32(a.number("generation"))}
	if a.has("type") {
		from.ProtocolType = a["type"]
	}
	for line := range strings.Lines(input) {
		words := strings.Fields(line)
		m := args{}
		for _, word := range words[1:] {
			key, value, _ := strings.Cut(word, "=")
			m[key] = value
		}
		protocol := kmsg.NewJoinGroupRequestProtocol()
		protocol.Name, protocol.Metadata = "range", subscriptionOf(m)
		assignment := kmsg.NewConsumerMemberAssignment()
		if m.has("data") {
			assignment.UserData = []byte(m["data"])
		}
		for _, word := range m.list("assignment") {
			topic := kmsg.NewConsumerMemberAssignmentTopic()
			topic.Topic, topic.Partitions = partitionsIn(word)
			assignment.Topics = append(assignment.Topics, topic)
		}
		from.Members = append(from.Members, classic.Member{
			ID: words[0], Client: client, SessionTimeoutMillis: 10_000, RebalanceTimeoutMillis: 5_000,
			Protocols: []kmsg.JoinGroupRequestProtocol{protocol}, Assignment: assignment.AppendTo(nil),
		})
	}
	g, refused := FromClassic(s.now, "g", s.world, from, out)
	if refused != nil {
		return refused.Error() + "\n"
	}
	s.group = g
	return ""
}
