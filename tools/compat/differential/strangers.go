package differential

import (
	"math"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// What somebody asks who is in no group and comes into none: those who do are
// in a [play].

func (d *draw) joinGroup(q kmsg.Request) {
	j := q.(*kmsg.JoinGroupRequest)
	j.Group, j.MemberID = d.groupName(), pick(d, "nobody", "no-body")
	j.SessionTimeoutMillis = pick[int32](d, 60_000, 60_000, 60_000, 0, -1, 5_999, 1_800_001, math.MaxInt32)
	j.RebalanceTimeoutMillis = pick[int32](d, 60_000, 0, -1)
	if j.SessionTimeoutMillis != 60_000 && d.chance(2) {
		j.MemberID = ""
	}
	if d.chance(3) {
		j.InstanceID = kmsg.StringPtr(pick(d, "", "i0"))
	}
	j.ProtocolType = pick(d, "consumer", "consumer", "", "connect")
	for range pick(d, 0, 1, 2) {
		j.Protocols = append(j.Protocols, kmsg.JoinGroupRequestProtocol{Name: pick(d, "range", "sticky", ""), Metadata: []byte{}})
	}
}

func (d *draw) syncGroup(q kmsg.Request) {
	s := q.(*kmsg.SyncGroupRequest)
	s.Group, s.MemberID, s.Generation = d.groupName(), d.nobody(), pick[int32](d, -1, 0, 1, 2)
	if d.chance(3) {
		s.InstanceID = kmsg.StringPtr(pick(d, "", "i0"))
	}
	s.ProtocolType, s.Protocol = pick(d, nil, kmsg.StringPtr("consumer")), pick(d, nil, kmsg.StringPtr("range"))
}

func (d *draw) strangersHeartbeat(q kmsg.Request) {
	h := q.(*kmsg.HeartbeatRequest)
	h.Group, h.MemberID, h.Generation = d.groupName(), d.nobody(), pick[int32](d, -1, 0, 1, 2)
	if d.chance(3) {
		h.InstanceID = kmsg.StringPtr(pick(d, "", "i0"))
	}
}

func (d *draw) leaveGroup(q kmsg.Request) {
	l := q.(*kmsg.LeaveGroupRequest)
	l.Group, l.MemberID = d.groupName(), d.nobody()
	for range pick(d, 0, 1, 1, 2) {
		m := kmsg.NewLeaveGroupRequestMember()
		m.MemberID = d.nobody()
		if d.chance(3) {
			m.InstanceID = kmsg.StringPtr(pick(d, "", "i0"))
		}
		l.Members = append(l.Members, m)
	}
}

// consumerHeartbeat has something wrong whenever it would come into the group.
func (d *draw) consumerHeartbeat(q kmsg.Request) {
	h := q.(*kmsg.ConsumerGroupHeartbeatRequest)
	h.Group, h.MemberID, h.MemberEpoch = d.groupName(), d.nobody(), pick[int32](d, 0, 0, 1, 5, -1, -2, -3, math.MaxInt32)
	if d.chance(4) {
		h.InstanceID = kmsg.StringPtr(pick(d, "", "i0"))
	}
	if d.chance(4) {
		h.RackID = kmsg.StringPtr(pick(d, "", "rack"))
	}
	h.RebalanceTimeoutMillis = pick[int32](d, -1, 60_000, 0, -2)
	h.SubscribedTopicNames = pick(d, nil, []string{}, []string{"plain"}, []string{""})
	h.SubscribedTopicRegex = pick(d, nil, nil, nil, kmsg.StringPtr("("))
	h.ServerAssignor = pick(d, nil, nil, kmsg.StringPtr("none"), kmsg.StringPtr(""), kmsg.StringPtr("range"))
	h.Topics = pick(d, nil, nil, []kmsg.ConsumerGroupHeartbeatRequestTopic{{TopicID: topicPlaceholder("plain"), Partitions: []int32{0}}})
}
