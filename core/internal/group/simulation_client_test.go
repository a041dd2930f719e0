package group

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// place is a partition.
type place struct {
	topic     [16]byte
	partition int32
}

func comparePlaces(a, b place) int {
	if c := bytes.Compare(a.topic[:], b.topic[:]); c != 0 {
		return c
	}
	return int(a.partition - b.partition)
}

// simClient is one consumer. It waits for one answer at a time, beside those to
// its commits.
type simClient struct {
	*simulation
	group    string
	id       string
	instance *string
	topics   []string
	// epoch is the member epoch, or the generation.
	epoch int32
	// owns is what it consumes, in order.
	owns []place
	// sent is when its last request is delivered.
	sent int64
	// asked is the request whose answer it waits for.
	asked kmsg.Request
	// alarm counts the times at which it was to act; only the last counts.
	alarm int
	dead  bool
	speaks
}

// speaks is a protocol.
type speaks interface {
	// act is what the client does when it is time.
	act()
	// answered takes the answer that it waits for.
	answered(q kmsg.Request, response kmsg.Response)
	// unanswered is told that there will be none.
	unanswered()
	// leave is the request by which it leaves.
	leave() kmsg.Request
}

// newClient makes a client, perhaps one that comes in the place of another that
// has its instance id.
func (s *simulation) newClient(instead *simClient) {
	c := &simClient{simulation: s, group: fmt.Sprintf("g%d", s.draw.IntN(3))}
	switch {
	case instead != nil:
		c.group, c.instance = instead.group, instead.instance
	case s.likely(30):
		c.instance = s.freeInstance(c.group)
	}
	for n := range 4 {
		if s.likely(50) {
			c.topics = append(c.topics, fmt.Sprintf("t%d", n))
		}
	}
	if len(c.topics) == 0 {
		c.topics = []string{"t0"}
	}
	if s.likely(50) {
		c.speaks = &simClassic{simClient: c, cooperative: c.group == "g1"}
		s.keepTopics(c)
	} else {
		k := &simConsumer{simClient: c}
		if s.likely(30) {
			k.regex = &[]string{"t[01]", "t.*", "nothing"}[s.draw.IntN(3)]
		}
		c.speaks = k
		c.id = s.NewID()
	}
	s.clients = append(s.clients, c)
	c.wake(0)
}

// keepTopics has every process of a static member of the classic protocol
// subscribe to the same: a stable group goes on without looking at what the next
// process subscribes to, as with Kafka.
func (s *simulation) keepTopics(c *simClient) {
	if c.instance == nil {
		return
	}
	key := c.group + "/" + *c.instance
	if topics, known := s.staticTopics[key]; known {
		c.topics = topics
	}
	s.staticTopics[key] = c.topics
}

func (s *simulation) freeInstance(group string) *string {
	instance := fmt.Sprintf("i%d", s.draw.IntN(8))
	for _, c := range s.clients {
		if c.group == group && c.instance != nil && *c.instance == instance {
			return nil
		}
	}
	return &instance
}

// identity is what the coordinator knows a member by.
func identity(id string, instance *string) string {
	if instance != nil {
		return "static " + *instance
	}
	return id
}

// wake has the client act after a while, and not before.
func (c *simClient) wake(after int64) {
	c.alarm++
	alarm := c.alarm
	c.at(c.now+after, func() {
		if !c.dead && c.alarm == alarm {
			c.act()
		}
	})
}

// ask sends a request and waits for its answer.
func (c *simClient) ask(q kmsg.Request) {
	c.asked = q
	c.alarm++
	c.send(c, q, true)
}

func (c *simClient) take(q kmsg.Request, response kmsg.Response) {
	if c.asked == q && !c.dead {
		c.asked = nil
		c.answered(q, response)
	}
}

func (c *simClient) lose(q kmsg.Request) {
	if c.asked == q && !c.dead {
		c.asked = nil
		c.unanswered()
		c.wake(1000)
	}
}

// die is the end of a client without a word.
func (c *simClient) die() {
	c.dead = true
	c.clients = slices.DeleteFunc(c.clients, func(other *simClient) bool { return c == other })
}

// disturb makes something happen to a client.
func (c *simClient) disturb() {
	switch n := c.draw.IntN(10); {
	case n < 3:
		c.die()
	case n < 6:
		c.die()
		c.send(c, c.leave(), true)
	case n < 8 && c.instance != nil:
		// Another process has its instance id, while it lives or when it died.
		if c.likely(60) {
			c.die()
		}
		c.newClient(c)
	default:
		// It hangs, maybe for longer than its session.
		c.asked = nil
		c.unanswered()
		c.wake(c.draw.Int64N(2 * simSession))
	}
}

// commit commits the next offset of something that the client has. The commit
// may be late, and is not waited for. It names the topic by id: by its name it
// could be for another that was created since.
func (c *simClient) commit() {
	if len(c.owns) == 0 {
		return
	}
	at := c.owns[c.draw.IntN(len(c.owns))]
	q := kmsg.NewPtrOffsetCommitRequest()
	q.Version, q.Group, q.MemberID, q.InstanceID, q.Generation = topicIDsSince, c.group, c.id, c.instance, c.epoch
	q.Topics = []kmsg.OffsetCommitRequestTopic{{TopicID: at.topic, Partitions: []kmsg.OffsetCommitRequestTopicPartition{{Partition: at.partition, Offset: int64(c.steps)}}}}
	c.send(c, q, false)
}

// administer does what a person does, who looks at nothing before.
func (s *simulation) administer() {
	group, topic := fmt.Sprintf("g%d", s.draw.IntN(3)), fmt.Sprintf("t%d", s.draw.IntN(4))
	var q kmsg.Request
	switch s.draw.IntN(6) {
	case 0:
		q = &kmsg.DeleteGroupsRequest{Version: 2, Groups: []string{group}}
	case 1:
		q = &kmsg.OffsetDeleteRequest{Group: group, Topics: []kmsg.OffsetDeleteRequestTopic{{Topic: topic, Partitions: []kmsg.OffsetDeleteRequestTopicPartition{{Partition: 0}, {Partition: 1}}}}}
	case 2:
		commit := kmsg.NewPtrOffsetCommitRequest()
		commit.Version, commit.Group, commit.Generation = 9, group, -1
		commit.Topics = []kmsg.OffsetCommitRequestTopic{{Topic: topic, Partitions: []kmsg.OffsetCommitRequestTopicPartition{{Partition: 0, Offset: s.draw.Int64N(10)}}}}
		q = commit
	case 3:
		instance := fmt.Sprintf("i%d", s.draw.IntN(8))
		q = &kmsg.LeaveGroupRequest{Version: 5, Group: group, Members: []kmsg.LeaveGroupRequestMember{{InstanceID: &instance}}}
	case 4:
		q = &kmsg.DescribeGroupsRequest{Version: 6, Groups: []string{group}}
	default:
		q = &kmsg.ConsumerGroupDescribeRequest{Version: 1, Groups: []string{group}}
	}
	s.deliver(nil, q)
}
