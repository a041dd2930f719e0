package differential

import (
	"github.com/twmb/franz-go/pkg/kmsg"
)

// consumerActs are those of members of the consumer protocol (KIP-848).
func consumerActs(p *play) {
	n := p.IntN(p.size)
	switch p.IntN(10) {
	case 0:
		p.aside(n)
	case 1:
		p.goAway(n)
	case 2, 3:
		p.joinConsumers(n)
	case 4:
		some := p.someFrom(n)
		for _, n := range some {
			p.joinConsumers(n)
		}
		for _, n := range some {
			p.consume(n, nil)
		}
	default:
		p.consume(n, nil)
	}
}

// mixedActs have members of both protocols in one group. None speaks both: then
// Kafka has the group stay a consumer group until somebody leaves, and Odradek
// has not.
func mixedActs(p *play) {
	n := p.IntN(p.size)
	switch {
	case p.chance(8):
		p.aside(n)
	case p.chance(12):
		p.convert()
	case !p.consumers[n]:
		p.inTurn(n)
	case p.chance(8):
		p.goAway(n)
	case p.chance(3):
		p.joinConsumers(n)
	default:
		p.consume(n, nil)
	}
}

// convert has all members of the consumer protocol leave, which makes the group
// a classic one, then the others take their turns, and one come back.
func (p *play) convert() {
	back := 0
	for n, consumer := range p.consumers {
		if consumer {
			p.goAway(n)
			back = n
		}
	}
	for n, consumer := range p.consumers[:p.size] {
		if !consumer {
			p.inTurn(n)
		}
	}
	p.joinConsumers(back)
}

// consume is a heartbeat of a member that is in the group; change makes it
// another.
func (p *play) consume(n int, change func(*kmsg.ConsumerGroupHeartbeatRequest)) {
	q := p.request(68).(*kmsg.ConsumerGroupHeartbeatRequest)
	q.Group, q.MemberID, q.MemberEpoch, q.InstanceID = p.group, p.id(n), p.epoch(), p.instance(n)
	q.RebalanceTimeoutMillis, q.SubscribedTopicNames, q.Topics = -1, nil, nil
	switch p.IntN(4) {
	case 0:
		p.subscribe(q)
	case 1, 2:
		q.Topics = []kmsg.ConsumerGroupHeartbeatRequestTopic{{TopicID: toldPartitions}}
	}
	if change != nil {
		change(q)
	}
	if p.chance(20) {
		p.spoil(q)
	}
	p.act(n, q, true)
	if regex := q.SubscribedTopicRegex; regex != nil && *regex == p.expression {
		p.last().resolves, p.looked = true, true
		p.stayAlive(n)
		p.last().catchesUp = true
	}
}

// joinConsumers says all that a member says when it joins.
func (p *play) joinConsumers(n int) {
	p.consume(n, func(q *kmsg.ConsumerGroupHeartbeatRequest) {
		q.MemberID, q.MemberEpoch, q.InstanceID = p.member(n), 0, p.instances[n]
		q.RebalanceTimeoutMillis, q.Topics = 300_000, []kmsg.ConsumerGroupHeartbeatRequestTopic{}
		p.subscribe(q)
		if n > 0 || *p.assignor == uniform || p.mixed {
			q.Version = 1 // it makes its id itself: range goes by the order of ids, and uniform by their hashes
		}
		if p.chance(4) {
			q.RackID = kmsg.StringPtr("rack")
		}
	})
}

// depart ends the nth member's part, if it is a consumer.
func (p *play) depart(n int) {
	q := versioned(68, 0).(*kmsg.ConsumerGroupHeartbeatRequest)
	q.Group, q.MemberID, q.MemberEpoch, q.InstanceID, q.RebalanceTimeoutMillis = p.group, p.member(n), -1, p.instances[n], -1
	p.act(n, q, true)
}

func (p *play) goAway(n int) {
	p.consume(n, func(q *kmsg.ConsumerGroupHeartbeatRequest) {
		q.MemberID, q.MemberEpoch = p.member(n), pick[int32](p.draw, -1, -1, -2)
	})
	p.othersStayAlive(n)
}

// othersStayAlive has all consumers but the nth say that they are.
func (p *play) othersStayAlive(n int) {
	for other, consumer := range p.consumers {
		if consumer && other != n {
			p.stayAlive(other)
		}
	}
}

// stayAlive is a heartbeat with which nothing is wrong. One has to follow when
// another has left, or else Kafka would go on from what was to be before.
func (p *play) stayAlive(n int) {
	q := versioned(68, 0).(*kmsg.ConsumerGroupHeartbeatRequest)
	q.Group, q.MemberID, q.MemberEpoch, q.InstanceID, q.RebalanceTimeoutMillis = p.group, p.member(n), toldEpoch, p.instances[n], -1
	p.act(n, q, true)
}

// subscribe names topics that exist, or has the broker look for them.
func (p *play) subscribe(q *kmsg.ConsumerGroupHeartbeatRequest) {
	if q.ServerAssignor = p.assignor; *p.assignor == uniform && p.chance(2) {
		q.ServerAssignor = nil // it is the default
	}
	// Kafka's uniform has one way where all members subscribe to the same, and
	// another where not, and takes those who name a topic that is not there, or have
	// it looked for, for such as do not; Odradek looks at the topics.
	even := *p.assignor == uniform
	looks := !even && p.chance(3)
	if looks {
		q.Version = 1 // the first with expressions
	}
	switch {
	case looks && q.MemberEpoch != 0:
		// It only takes the expression on: what it would have to give up for it Kafka
		// has it give up before the expression is resolved.
		q.SubscribedTopicRegex, q.ServerAssignor = &p.expression, nil
		return
	case looks && p.chance(4):
		q.SubscribedTopicRegex, q.SubscribedTopicNames = kmsg.StringPtr(""), []string{playedTopic}
	case looks:
		q.SubscribedTopicRegex, q.SubscribedTopicNames = &p.expression, pick(p.draw, []string{}, []string{playedTopic}, []string{"plain"})
	case even:
		q.SubscribedTopicNames = pick(p.draw, []string{playedTopic}, []string{playedTopic}, []string{playedTopic, "plain"}, []string{})
	default:
		q.SubscribedTopicNames = pick(p.draw, []string{playedTopic}, []string{playedTopic}, []string{playedTopic, "nowhere"}, []string{playedTopic, "plain"}, []string{})
	}
	if q.MemberEpoch == 0 && !looks {
		q.SubscribedTopicNames = []string{playedTopic}
	}
}

// expressions are RE2's, of topics that stay as they are.
var expressions = []string{
	"wide", "wi.*", "wide|plain", "^wide$", "(?i)WIDE", `\w{2}de`, "p[a-l]+in|packed", "comp(act|ress)ed?", `\p{Ll}+ed`, "(?:wi|gui)de(?:d)?", "nothing",
}

// uniform is the assignor where nobody asks for another.
const uniform = "uniform"

// playedTopic has [mostMembers] partitions.
const playedTopic = "wide"

// spoil sets one field to what it seldom is.
func (p *play) spoil(q *kmsg.ConsumerGroupHeartbeatRequest) {
	switch p.IntN(9) {
	case 0:
		q.MemberID = pick(p.draw, "", "nobody")
	case 1:
		q.MemberEpoch = pick[int32](p.draw, -3, -2, 7, 1<<31-1)
	case 2:
		q.InstanceID = kmsg.StringPtr("")
	case 3:
		q.RackID = kmsg.StringPtr("")
	case 4:
		q.RebalanceTimeoutMillis = pick[int32](p.draw, -1, 1_000_000)
	case 5:
		q.SubscribedTopicNames, q.SubscribedTopicRegex = nil, nil
	case 6:
		q.ServerAssignor = kmsg.StringPtr(pick(p.draw, "", "none"))
	case 7:
		q.SubscribedTopicRegex = kmsg.StringPtr("(")
	default:
		q.Topics = []kmsg.ConsumerGroupHeartbeatRequestTopic{{TopicID: topicPlaceholder(pick(p.draw, "plain", "nowhere")), Partitions: []int32{0, 7}}}
	}
}
