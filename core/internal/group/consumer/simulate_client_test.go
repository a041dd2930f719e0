package consumer

import (
	"fmt"
	"slices"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/grouptest"
	"odradek.dev/core/internal/group/step"
	"odradek.dev/sdk/assignor"
)

// simClient is one consumer. It has one request on its way at a time.
type simClient struct {
	id       string
	instance *string
	version  int16
	topics   []string
	regex    *string
	// epoch is the member epoch, or the generation.
	epoch int32
	// owns is what it consumes; given is the last that it was told to have.
	owns, given []place
	// next is when it acts again, step.Never while it waits.
	next  int64
	token step.Token
	// complete asks for a request that says everything, as after a lost answer.
	complete bool
	// told is whether the broker knows what it owns.
	told bool
	// revoked is when what is not in given is given up.
	revoked int64
	// gone is one that does not hear the answer to its last request.
	gone bool
	// classic is the state of a client of the classic protocol.
	classic *simClassic
}

func (s *simulation) newClient() *simClient {
	s.born++
	c := &simClient{id: fmt.Sprintf("m%d", s.born), version: 1, next: s.now, complete: true}
	c.subscribe(s)
	switch n := s.draw.IntN(10); {
	case n < 2:
		c.id, c.version = "", 0
	case n < 5:
		c.instance = s.freeInstance()
	case n < 8:
		c.id, c.classic = "", &simClassic{eager: s.likely(50)}
	}
	if c.classic != nil {
		c.regex = nil
		if len(c.topics) == 0 {
			c.topics = []string{"t0"}
		}
	}
	return c
}

func (s *simulation) freeInstance() *string {
	instance := fmt.Sprintf("i%d", s.draw.IntN(8))
	for _, c := range s.clients {
		if c.instance != nil && *c.instance == instance {
			return nil
		}
	}
	return &instance
}

func (c *simClient) subscribe(s *simulation) {
	c.topics, c.regex, c.complete = []string{}, nil, true
	for n := range 4 {
		if s.likely(50) {
			c.topics = append(c.topics, fmt.Sprintf("t%d", n))
		}
	}
	regex := []string{"", "t[01]", "t.*", "nothing"}[s.draw.IntN(4)]
	c.regex = &regex
}

// disturb makes something happen to a client.
func (c *simClient) disturb(s *simulation) {
	if c.classic != nil {
		c.classic.disturb(s, c)
		return
	}
	switch s.draw.IntN(4) {
	case 0:
		c.subscribe(s)
	case 1:
		s.forget(c)
	case 2:
		c.leave(s)
	case 3:
		// It hangs for a while, maybe for longer than its session.
		c.next = s.now + s.draw.Int64N(60_000)
		c.token, c.complete = 0, true
	}
}

// forget is the end of a client without a word.
func (s *simulation) forget(c *simClient) {
	s.clients = slices.DeleteFunc(s.clients, func(other *simClient) bool { return c == other })
}

func (c *simClient) leave(s *simulation) {
	r := kmsg.NewPtrConsumerGroupHeartbeatRequest()
	r.Version, r.Group, r.MemberID, r.InstanceID, r.MemberEpoch = c.version, "g", c.id, c.instance, -1
	if c.instance != nil && s.likely(70) {
		r.MemberEpoch = leftForNow
	}
	s.claim(c.id, nil, true)
	s.forget(c)
	s.send(&simClient{gone: true}, func(out *step.Output) {
		s.group.Heartbeat(s.now, s.token, step.Client{ID: "c"}, r, out)
	})
}

// send gives a request to the machine, unless it is lost on its way.
func (s *simulation) send(c *simClient, input func(out *step.Output)) {
	s.token++
	c.token, c.next = s.token, step.Never
	if !s.quiet && s.likely(3) {
		c.lose(s, c.token)
		return
	}
	s.asked[s.token] = c
	s.do(input)
}

// lose ends the wait for an answer that does not come.
func (c *simClient) lose(s *simulation, token step.Token) {
	if c.token == token {
		c.token, c.next, c.complete = 0, s.now+1000, true
	}
}

// act gives up what is to be given up, and sends a heartbeat.
func (c *simClient) act(s *simulation) {
	if c.classic != nil {
		c.classic.act(s, c)
		return
	}
	if s.now >= c.revoked && !c.told {
		c.owns, c.told, c.complete = slices.Clone(c.given), true, c.complete || s.likely(20)
		c.heartbeat(s, true)
		return
	}
	c.heartbeat(s, c.complete)
}

func (c *simClient) heartbeat(s *simulation, tell bool) {
	r := kmsg.NewPtrConsumerGroupHeartbeatRequest()
	r.Version, r.Group, r.MemberID, r.InstanceID, r.MemberEpoch = c.version, "g", c.id, c.instance, c.epoch
	if c.complete || c.epoch == 0 {
		r.RebalanceTimeoutMillis, r.SubscribedTopicNames, r.SubscribedTopicRegex = 10_000, c.topics, c.regex
		c.complete, tell = false, true
	}
	if tell {
		r.Topics = []kmsg.ConsumerGroupHeartbeatRequestTopic{}
		for _, topic := range byTopic(c.owns) {
			owned := kmsg.NewConsumerGroupHeartbeatRequestTopic()
			owned.TopicID, owned.Partitions = topic.TopicID, topic.Partitions
			r.Topics = append(r.Topics, owned)
		}
	}
	s.send(c, func(out *step.Output) {
		if tell {
			s.claim(c.id, c.owns, true)
		}
		s.group.Heartbeat(s.now, s.token, step.Client{ID: "c"}, r, out)
	})
}

// receive takes an answer in, unless it is lost.
func (c *simClient) receive(s *simulation, token step.Token, response kmsg.Response) {
	if c.token != token || c.gone {
		return
	}
	if !s.quiet && s.likely(5) {
		c.lose(s, token)
		return
	}
	c.token = 0
	if c.classic != nil {
		c.classic.receive(s, c, response)
		return
	}
	r := response.(*kmsg.ConsumerGroupHeartbeatResponse)
	c.next = s.now + 3000
	switch kerr.TypedErrorForCode(r.ErrorCode) {
	case nil:
		c.id, c.epoch = *r.MemberID, r.MemberEpoch
		if r.Assignment != nil {
			c.given = c.placesOf(r.Assignment)
			c.assign(s)
		}
	case kerr.UnknownMemberID, kerr.FencedMemberEpoch:
		c.epoch, c.owns, c.given, c.told, c.next = 0, nil, nil, true, s.now
	case kerr.UnreleasedInstanceID, kerr.FencedInstanceID:
		c.next, c.complete = s.now+1000, true
	default:
		s.t.Fatalf("a client that does nothing wrong was told %s: %s", grouptest.Code(r.ErrorCode), *r.ErrorMessage)
	}
}

// assign uses at once what is new, and gives up the rest after a while.
func (c *simClient) assign(s *simulation) {
	for _, p := range c.given {
		if !slices.Contains(c.owns, p) {
			c.owns = append(c.owns, p)
		}
	}
	slices.SortFunc(c.owns, place.compare)
	c.told = false
	c.revoked = s.now + s.draw.Int64N(3000)
	if !s.quiet && s.likely(10) {
		c.revoked += 15_000
	}
	c.next = min(c.next, max(c.revoked, s.now+1))
}

func (c *simClient) placesOf(assignment *kmsg.ConsumerGroupHeartbeatResponseAssignment) []place {
	var places []place
	for _, topic := range assignment.Topics {
		for _, partition := range topic.Partitions {
			places = append(places, place{topic.TopicID, partition})
		}
	}
	slices.SortFunc(places, place.compare)
	return places
}

func (s *simulation) assignmentOf(q question, failed bool) assignor.Assignment {
	if failed {
		return assignor.Assignment{}
	}
	assignment := grouptest.Spread(q.Snapshot)
	if err := assignor.Check(q.Snapshot, assignment); err != nil {
		s.t.Fatal(err)
	}
	return assignment
}
