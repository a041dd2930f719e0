package differential

import (
	"math"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// classicActs are a round of a group of the classic protocol, or something else.
func classicActs(p *play) {
	first := p.IntN(p.size)
	switch p.IntN(8) {
	case 0:
		p.aside(first)
	case 1:
		p.heartbeat(first)
	case 2:
		p.join(first)
		p.join(first)
		p.sync(first)
	case 3:
		p.sync(first)
	case 4:
		p.leave(first)
	default:
		p.round(p.someFrom(first))
	}
}

// someFrom are members one after the other, two at least.
func (p *play) someFrom(first int) (members []int) {
	for n := range 2 + p.IntN(p.size-1) {
		members = append(members, (first+n)%p.size)
	}
	return members
}

// round has members join and sync. Whoever has no member id yet is told one
// first.
func (p *play) round(members []int) {
	for range 2 {
		for _, n := range members {
			p.join(n)
		}
	}
	if p.chance(4) {
		p.aside(members[0])
	}
	for _, n := range members {
		p.sync(n)
	}
	p.heartbeat(members[0])
}

// inTurn is what a member of the classic protocol does that is told of a
// rebalance each time.
func (p *play) inTurn(n int) {
	if p.chance(6) {
		p.leave(n)
		return
	}
	p.join(n)
	p.sync(n)
	p.heartbeat(n)
}

func (p *play) join(n int) {
	q := p.request(11).(*kmsg.JoinGroupRequest)
	q.Group, q.MemberID, q.InstanceID = p.group, p.member(n), p.instance(n)
	if p.instances[n] != nil && q.Version < 5 {
		q.Version = 5 // a member stays static
	}
	if p.chance(20) && !p.mixed {
		q.MemberID = pick(p.draw, "", "nobody")
	}
	q.SessionTimeoutMillis, q.RebalanceTimeoutMillis = pick[int32](p.draw, 300_000, 1_800_000), pick[int32](p.draw, 300_000, 600_000)
	if p.chance(25) {
		q.SessionTimeoutMillis = pick[int32](p.draw, 0, -1, 5_999, 1_800_001, math.MaxInt32)
	}
	q.ProtocolType, q.Protocols = p.protocols()
	q.Reason = pick(p.draw, nil, nil, kmsg.StringPtr("a reason"), kmsg.StringPtr(""))
	p.act(n, q, true)
}

// protocols are those of a consumer, mostly the same.
func (p *play) protocols() (kind string, protocols []kmsg.JoinGroupRequestProtocol) {
	kind = "consumer"
	if p.chance(25) {
		kind = pick(p.draw, "", "connect", "other")
	}
	names := pick(p.draw, []string{"range"}, []string{"range"}, []string{"range"}, []string{"range", "sticky"})
	if p.chance(25) {
		names = pick(p.draw, []string{}, []string{""}, []string{"sticky"}, []string{"own"}) // with one twice Kafka never ends the rebalance
	}
	for _, name := range names {
		one := kmsg.NewJoinGroupRequestProtocol()
		one.Name, one.Metadata = name, p.subscription()
		protocols = append(protocols, one)
	}
	return kind, protocols
}

// subscription is what a consumer says of itself, or bytes that mean nothing.
func (p *play) subscription() []byte {
	if p.chance(25) && !p.mixed {
		return pick(p.draw, []byte{}, []byte{0}, []byte("bytes"), []byte{0, 0, 0, 0, 0, 9, 0})
	}
	subscription := kmsg.NewConsumerMemberMetadata()
	subscription.Version = pick[int16](p.draw, 0, 1, 1, 1, 3)
	subscription.Topics = pick(p.draw, []string{playedTopic}, []string{playedTopic}, []string{playedTopic, "nowhere"}, []string{})
	if p.mixed {
		subscription.Topics = []string{playedTopic}
	}
	return subscription.AppendTo(nil)
}

func (p *play) sync(n int) {
	q := p.request(14).(*kmsg.SyncGroupRequest)
	q.Group, q.MemberID, q.Generation, q.InstanceID = p.group, p.id(n), p.epoch(), p.instance(n)
	q.ProtocolType, q.Protocol = kmsg.StringPtr("consumer"), kmsg.StringPtr(toldProtocol)
	if p.chance(20) {
		q.ProtocolType = pick(p.draw, nil, kmsg.StringPtr(""), kmsg.StringPtr("connect"))
	}
	if p.chance(20) {
		q.Protocol = pick(p.draw, nil, kmsg.StringPtr(""), kmsg.StringPtr("none"))
	}
	for other := range p.size {
		if !p.chance(12) {
			one := kmsg.NewSyncGroupRequestGroupAssignment()
			one.MemberID, one.MemberAssignment = p.member(other), p.assignment(other)
			q.GroupAssignment = append(q.GroupAssignment, one)
		}
	}
	p.act(n, q, true)
}

func (p *play) assignment(n int) []byte {
	switch {
	case p.chance(12) && p.mixed && p.size > 2:
		// With what nobody can read the group stays a classic one, and Kafka has ended
		// the joins that wait in it by then.
		return []byte{}
	case p.chance(12) && (!p.mixed || p.size == 2):
		return pick(p.draw, []byte{}, []byte("bytes"))
	}
	assignment := kmsg.NewConsumerMemberAssignment()
	topic := kmsg.NewConsumerMemberAssignmentTopic()
	topic.Topic, topic.Partitions = playedTopic, []int32{int32(n)}
	assignment.Topics = append(assignment.Topics, topic)
	return assignment.AppendTo(nil)
}

func (p *play) heartbeat(n int) {
	q := p.request(12).(*kmsg.HeartbeatRequest)
	q.Group, q.MemberID, q.Generation, q.InstanceID = p.group, p.id(n), p.epoch(), p.instance(n)
	p.act(n, q, false)
}

func (p *play) leave(n int) {
	q := p.request(13).(*kmsg.LeaveGroupRequest)
	q.Group, q.MemberID = p.group, p.id(n)
	for range pick(p.draw, 1, 1, 1, 1, 2, 0) {
		one := kmsg.NewLeaveGroupRequestMember()
		one.MemberID, one.InstanceID = p.id(n), p.instance(n)
		if one.InstanceID != nil && p.chance(3) {
			one.MemberID = ""
		}
		one.Reason = pick(p.draw, nil, kmsg.StringPtr("a reason"))
		q.Members = append(q.Members, one)
		n = (n + 1) % p.size
	}
	p.act(n, q, false)
	p.othersStayAlive(-1)
}
