package consumer

import (
	"slices"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/grouptest"
	"odradek.dev/core/internal/group/step"
)

// simClassic is what a client of the classic protocol is about: it joins, syncs
// and then sends heartbeats until it is told to join again. An eager one gives
// up everything before it joins, a cooperative one what it is not given again.
type simClassic struct {
	eager bool
	phase int
}

const (
	joining = iota
	syncing
	beating
)

func (k *simClassic) disturb(s *simulation, c *simClient) {
	if s.likely(50) {
		s.forget(c)
		return
	}
	s.forget(c)
	r := kmsg.NewPtrLeaveGroupRequest()
	r.Version = 5
	m := kmsg.NewLeaveGroupRequestMember()
	m.MemberID = c.id
	r.Members = append(r.Members, m)
	s.send(&simClient{gone: true}, func(out *step.Output) { s.group.LeaveClassic(s.now, s.token, r, out) })
}

func (k *simClassic) act(s *simulation, c *simClient) {
	switch k.phase {
	case joining:
		if k.eager {
			c.owns = nil
		}
		r := k.joinRequest(s, c)
		s.send(c, func(out *step.Output) {
			s.claim(c.id, c.owns, true)
			s.group.JoinClassic(s.now, s.token, step.Client{ID: "c"}, r, out)
		})
	case syncing:
		r := kmsg.NewPtrSyncGroupRequest()
		r.MemberID, r.Generation = c.id, c.epoch
		s.send(c, func(out *step.Output) { s.group.SyncClassic(s.now, s.token, r, out) })
	default:
		r := kmsg.NewPtrHeartbeatRequest()
		r.MemberID, r.Generation = c.id, c.epoch
		s.send(c, func(out *step.Output) { s.group.HeartbeatClassic(s.now, s.token, r, out) })
	}
}

func (k *simClassic) joinRequest(s *simulation, c *simClient) *kmsg.JoinGroupRequest {
	subscription := kmsg.NewConsumerMemberMetadata()
	subscription.Version, subscription.Topics = 1, c.topics
	for _, topic := range byTopic(c.owns) {
		if name, exists := s.Names[topic.TopicID]; exists {
			owned := kmsg.NewConsumerMemberMetadataOwnedPartition()
			owned.Topic, owned.Partitions = name, topic.Partitions
			subscription.OwnedPartitions = append(subscription.OwnedPartitions, owned)
		}
	}
	protocol := kmsg.NewJoinGroupRequestProtocol()
	protocol.Name, protocol.Metadata = "range", subscription.AppendTo(nil)
	r := kmsg.NewPtrJoinGroupRequest()
	r.Version, r.Group, r.MemberID, r.ProtocolType = 9, "g", c.id, step.ConsumerProtocol
	r.SessionTimeoutMillis, r.RebalanceTimeoutMillis = 45_000, 10_000
	r.Protocols = []kmsg.JoinGroupRequestProtocol{protocol}
	return r
}

func (k *simClassic) receive(s *simulation, c *simClient, response kmsg.Response) {
	c.next = s.now
	switch r := response.(type) {
	case *kmsg.JoinGroupResponse:
		c.id = r.MemberID
		if k.refused(s, c, r.ErrorCode) {
			return
		}
		c.epoch, k.phase = r.Generation, syncing
	case *kmsg.SyncGroupResponse:
		if k.refused(s, c, r.ErrorCode) {
			return
		}
		k.assign(s, c, s.placesIn(r.MemberAssignment))
	case *kmsg.HeartbeatResponse:
		if !k.refused(s, c, r.ErrorCode) {
			c.next = s.now + 3000
		}
	}
}

func (k *simClassic) refused(s *simulation, c *simClient, errorCode int16) bool {
	switch kerr.TypedErrorForCode(errorCode) {
	case nil:
		return false
	case kerr.MemberIDRequired, kerr.RebalanceInProgress:
	case kerr.UnknownMemberID:
		c.id, c.owns = "", nil
	case kerr.IllegalGeneration:
		c.owns = nil
	default:
		s.t.Fatalf("a classic client that does nothing wrong was told %s", grouptest.Code(errorCode))
	}
	k.phase = joining
	return true
}

func (k *simClassic) assign(s *simulation, c *simClient, given []place) {
	k.phase = beating
	c.next = s.now + 3000
	if lost := slices.ContainsFunc(c.owns, func(p place) bool { return !slices.Contains(given, p) }); lost {
		k.phase, c.next = joining, s.now+s.draw.Int64N(2000)
	}
	c.owns = given
}

func (s *simulation) placesIn(encoded []byte) []place {
	assignment := kmsg.NewConsumerMemberAssignment()
	if err := assignment.ReadFrom(encoded); err != nil {
		s.t.Fatal(err)
	}
	var places []place
	for _, topic := range assignment.Topics {
		for _, partition := range topic.Partitions {
			places = append(places, place{s.Topics[topic.Topic].ID, partition})
		}
	}
	slices.SortFunc(places, place.compare)
	return places
}
