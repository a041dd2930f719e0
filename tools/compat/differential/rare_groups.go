package differential

import (
	"fmt"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// rareInGroups are like [rare], and are all about groups.
func rareInGroups() []step {
	var steps []step
	for n, one := range []func(p *play){joinsTwice, movesElsewhere, leavesBehind, subscribesToNothing, leavesWhileItWaits, leavesClassicOnes, commitsAnothers} {
		p := &play{group: fmt.Sprint("play rare ", n), number: -n, size: 2}
		one(p)
		steps = append(steps, p.steps...)
	}
	// Without its feature there are no consumer groups.
	off, on := updateOfGroupVersion(0, 2), updateOfGroupVersion(1, 1)
	describe, heartbeat := versioned(69, 1).(*kmsg.ConsumerGroupDescribeRequest), rareHeartbeat("play rare", 0)
	describe.Groups = []string{"play rare 3", "nowhere"}
	for _, q := range []kmsg.Request{off, describe, heartbeat, on} {
		steps = append(steps, step{requests: []request{{Request: q}}})
	}
	return steps
}

// rareTopic has a partition for each of two members: who is given more hangs on
// the ids that the broker made.
const rareTopic = "compacted"

// say has the nth member ask something, on a connection of its own.
func (p *play) say(n, connection int, q kmsg.Request) {
	p.steps = append(p.steps, step{connection: connections + connection, group: p.group, requests: []request{{
		Request: q, member: memberPlaceholder(p.number, n), client: fmt.Sprint("differential-", n), waits: true,
	}}})
}

// joinsTwice has a member join again while it waits for the other.
func joinsTwice(p *play) {
	p.say(0, 0, p.rareJoin(0, nil))
	p.say(1, 1, p.rareJoin(1, nil))
	p.say(0, 0, p.rareJoin(0, nil))
	for connection := 1; connection <= 2; connection++ {
		changed := p.rareJoin(1, nil)
		changed.Protocols[0].Metadata = []byte("changed")
		p.say(1, connection, changed)
	}
}

// movesElsewhere has a static member come back with another client id.
func movesElsewhere(p *play) {
	p.say(0, 0, p.rareJoin(0, kmsg.StringPtr("i0")))
	again := p.rareJoin(0, kmsg.StringPtr("i0"))
	again.MemberID = ""
	p.say(1, 1, again)
}

// leavesBehind has a member leave a consumer group and another stay, which
// says nothing any more.
func leavesBehind(p *play) {
	for n := range 2 {
		join := rareHeartbeat(p.group, 0)
		join.MemberID = memberPlaceholder(p.number, n)
		p.say(n, n, join)
	}
	for n := range 2 {
		leave := rareHeartbeat(p.group, -1)
		leave.MemberID = memberPlaceholder(p.number, n)
		p.say(n, n, leave)
		p.say(n, n, versioned(16, 5))
	}
}

// subscribesToNothing has the first member of a consumer group want nothing.
func subscribesToNothing(p *play) {
	q := rareHeartbeat(p.group, 0)
	q.SubscribedTopicNames = []string{}
	p.say(0, 0, q)
}

// leavesWhileItWaits has a member taken out that waits for its assignment.
func leavesWhileItWaits(p *play) {
	p.say(0, 0, p.rareJoin(0, nil))
	p.say(1, 1, p.rareJoin(1, nil))
	p.say(0, 0, p.rareJoin(0, nil))
	p.say(1, 1, p.rareSync(1))
	leave := versioned(13, 3).(*kmsg.LeaveGroupRequest)
	leave.Group, leave.Members = p.group, []kmsg.LeaveGroupRequestMember{{MemberID: memberPlaceholder(p.number, 1)}}
	p.say(0, 0, leave)
}

// leavesClassicOnes has the only member of the consumer protocol leave before
// the other has given up what was to be its part.
func leavesClassicOnes(p *play) {
	join := p.rareJoin(0, nil)
	subscription := kmsg.NewConsumerMemberMetadata()
	subscription.Topics = []string{rareTopic}
	join.Protocols[0].Metadata = subscription.AppendTo(nil)
	p.say(0, 0, join)
	p.say(0, 0, p.rareSync(0))
	consumer := rareHeartbeat(p.group, 0)
	consumer.MemberID = memberPlaceholder(p.number, 1)
	p.say(1, 1, consumer)
	leave := rareHeartbeat(p.group, -1)
	leave.MemberID = consumer.MemberID
	p.say(1, 1, leave)
}

// commitsAnothers has a member commit what it has given up to another.
func commitsAnothers(p *play) {
	own := kmsg.ConsumerGroupHeartbeatRequestTopic{TopicID: toldPartitions}
	for _, act := range []struct {
		n    int
		join bool
		has  []kmsg.ConsumerGroupHeartbeatRequestTopic
	}{{n: 0, join: true}, {n: 1, join: true}, {n: 0}, {n: 0, has: append([]kmsg.ConsumerGroupHeartbeatRequestTopic{}, own)}, {n: 1}} {
		q := rareHeartbeat(p.group, toldEpoch)
		q.RebalanceTimeoutMillis, q.SubscribedTopicNames, q.Topics = -1, nil, act.has
		if act.join {
			q = rareHeartbeat(p.group, 0)
		}
		q.MemberID = memberPlaceholder(p.number, act.n)
		p.say(act.n, act.n, q)
	}
	commit := versioned(8, 9).(*kmsg.OffsetCommitRequest)
	commit.Group, commit.MemberID, commit.Generation = p.group, memberPlaceholder(p.number, 0), toldEpoch
	topic := kmsg.NewOffsetCommitRequestTopic()
	topic.Topic = rareTopic
	for partition := range int32(2) {
		one := kmsg.NewOffsetCommitRequestTopicPartition()
		one.Partition = partition
		topic.Partitions = append(topic.Partitions, one)
	}
	commit.Topics = append(commit.Topics, topic)
	p.say(0, 0, commit)
}

func (p *play) rareSync(n int) *kmsg.SyncGroupRequest {
	q := versioned(14, 3).(*kmsg.SyncGroupRequest)
	q.Group, q.MemberID, q.Generation = p.group, memberPlaceholder(p.number, n), toldEpoch
	assignment := kmsg.NewConsumerMemberAssignment()
	assignment.Topics = []kmsg.ConsumerMemberAssignmentTopic{{Topic: rareTopic, Partitions: []int32{0, 1}}}
	q.GroupAssignment = []kmsg.SyncGroupRequestGroupAssignment{{MemberID: q.MemberID, MemberAssignment: assignment.AppendTo(nil)}}
	return q
}

func (p *play) rareJoin(n int, instance *string) *kmsg.JoinGroupRequest {
	q := versioned(11, 5).(*kmsg.JoinGroupRequest)
	q.Group, q.MemberID, q.InstanceID = p.group, memberPlaceholder(p.number, n), instance
	if instance == nil {
		q.SetVersion(3)
	}
	q.SessionTimeoutMillis, q.RebalanceTimeoutMillis, q.ProtocolType = 300_000, 300_000, "consumer"
	q.Protocols = []kmsg.JoinGroupRequestProtocol{{Name: "range", Metadata: []byte{}}}
	return q
}

func rareHeartbeat(group string, epoch int32) *kmsg.ConsumerGroupHeartbeatRequest {
	q := versioned(68, 0).(*kmsg.ConsumerGroupHeartbeatRequest)
	q.Group, q.MemberEpoch, q.RebalanceTimeoutMillis = group, epoch, 300_000
	q.SubscribedTopicNames, q.Topics = []string{rareTopic}, []kmsg.ConsumerGroupHeartbeatRequestTopic{}
	return q
}

func updateOfGroupVersion(level int16, kind int8) *kmsg.UpdateFeaturesRequest {
	q := versioned(57, 1).(*kmsg.UpdateFeaturesRequest)
	update := kmsg.NewUpdateFeaturesRequestFeatureUpdate()
	update.Feature, update.MaxVersionLevel, update.UpgradeType = groupVersion, level, kind
	q.TimeoutMillis, q.FeatureUpdates = 30_000, append(q.FeatureUpdates, update)
	return q
}

const groupVersion = "group.version"
