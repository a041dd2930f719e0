package coordinator

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/grouptest"
	"odradek.dev/core/internal/group/step"
	"odradek.dev/sdk/assignor"
)

const (
	sharers = 100
	shared  = 1000
)

// BenchmarkRebalance has one of a hundred members leave and another come, each
// up to where all have their share of a thousand partitions again; without what
// the connections, the disk and the assignor take.
func BenchmarkRebalance(b *testing.B) {
	b.Run("consumer", func(b *testing.B) { benchmarkRebalance(b, consumerRound) })
	b.Run("classic", func(b *testing.B) { benchmarkRebalance(b, classicRound) })
}

func benchmarkRebalance(b *testing.B, settle func(*crowd)) {
	h := newHouse(b)
	h.coordinator.Config.Groups.ConsumerAssignmentIntervalMs = 0
	h.assign = spreadOnce()
	h.create("t", shared)
	h.start()
	c := &crowd{house: h}
	for range sharers {
		c.members = append(c.members, &sharer{})
	}
	settle(c)
	c.requests = 0
	b.ReportAllocs()
	for b.Loop() {
		c.leaves = c.members[sharers-1]
		c.members = c.members[:sharers-1]
		settle(c)
		c.members = append(c.members, &sharer{})
		settle(c)
	}
	b.ReportMetric(float64(c.requests)/float64(b.N), "requests/op")
}

// spreadOnce is an assignor that takes no time, once it has seen a group of each
// size: members come and go at the end of the order.
func spreadOnce() func(context.Context, assignor.Snapshot) (assignor.Assignment, bool, error) {
	answers := map[int]assignor.Assignment{}
	return func(_ context.Context, s assignor.Snapshot) (assignor.Assignment, bool, error) {
		answer, known := answers[len(s.Members)]
		if !known {
			answer = grouptest.Spread(s)
			answers[len(s.Members)] = answer
		}
		return answer, false, nil
	}
}

// crowd is the members of a group, and the one that leaves it next.
type crowd struct {
	*house
	members  []*sharer
	leaves   *sharer
	joined   int
	requests int
}

type sharer struct {
	id    string
	epoch int32
	// has is what it tells that it has, if that is news; nil if it is not.
	has []kmsg.ConsumerGroupHeartbeatRequestTopic
	// leads has the members, of whose shares it decides.
	leads []kmsg.JoinGroupResponseMember
}

// each sends a request of each of some members, and waits until each has its
// answer.
func (c *crowd) each(members []*sharer, ask func(*sharer) kmsg.Request, take func(*sharer, kmsg.Response)) {
	var open sync.WaitGroup
	for _, m := range members {
		open.Add(1)
		c.do(ask(m), func(r kmsg.Response) { take(m, r); open.Done() })
	}
	c.clock.Advance(0) // a group's first rebalance waits for the clock
	open.Wait()
}

func (c *crowd) do(q kmsg.Request, done func(kmsg.Response)) {
	c.requests++
	c.coordinator.Do("g", step.Client{ID: "c", Host: "/h"}, q, done)
}

// consumerRound has members of KIP-848 beat until no answer is news to anybody.
func consumerRound(c *crowd) {
	if c.leaves != nil {
		q := consumerBeat(c.leaves)
		q.MemberEpoch = -1
		c.do(q, func(kmsg.Response) {})
		c.leaves = nil
	}
	for {
		var news atomic.Bool
		c.each(c.members, func(m *sharer) kmsg.Request {
			if m.id != "" {
				return consumerBeat(m)
			}
			c.joined++
			m.id, m.has = fmt.Sprintf("m%09d", c.joined), []kmsg.ConsumerGroupHeartbeatRequestTopic{}
			q := consumerBeat(m)
			q.RebalanceTimeoutMillis, q.SubscribedTopicNames = 60_000, []string{"t"}
			return q
		}, func(m *sharer, r kmsg.Response) {
			if m.hears(c.t, r.(*kmsg.ConsumerGroupHeartbeatResponse)) {
				news.Store(true)
			}
		})
		if !news.Load() {
			return
		}
	}
}

func consumerBeat(m *sharer) *kmsg.ConsumerGroupHeartbeatRequest {
	q := kmsg.NewPtrConsumerGroupHeartbeatRequest()
	q.Version, q.Group, q.MemberID, q.MemberEpoch, q.Topics = 1, "g", m.id, m.epoch, m.has
	return q
}

// hears reports whether an answer is news.
func (m *sharer) hears(t testing.TB, answer *kmsg.ConsumerGroupHeartbeatResponse) bool {
	if answer.ErrorCode != 0 {
		t.Errorf("heartbeat of %s: %s", m.id, *answer.ErrorMessage)
	}
	moved := m.epoch != answer.MemberEpoch
	m.epoch, m.has = answer.MemberEpoch, nil
	if answer.Assignment == nil {
		return moved
	}
	m.has = []kmsg.ConsumerGroupHeartbeatRequestTopic{}
	for _, topic := range answer.Assignment.Topics {
		m.has = append(m.has, kmsg.ConsumerGroupHeartbeatRequestTopic{TopicID: topic.TopicID, Partitions: topic.Partitions})
	}
	return true
}

// classicRound has members of the classic protocol join and sync once.
func classicRound(c *crowd) {
	if c.leaves != nil {
		c.do(&kmsg.LeaveGroupRequest{Version: 5, Group: "g", Members: []kmsg.LeaveGroupRequestMember{{MemberID: c.leaves.id}}}, func(kmsg.Response) {})
		c.leaves = nil
	}
	isNew := slices.IndexFunc(c.members, func(m *sharer) bool { return m.id == "" })
	if isNew >= 0 {
		c.each(c.members[isNew:], classicJoin, func(m *sharer, r kmsg.Response) { m.id = r.(*kmsg.JoinGroupResponse).MemberID })
	}
	c.each(c.members, classicJoin, func(m *sharer, r kmsg.Response) {
		answer := r.(*kmsg.JoinGroupResponse)
		if answer.ErrorCode != 0 {
			c.t.Errorf("joining as %s: error code %d", m.id, answer.ErrorCode)
		}
		m.epoch, m.leads = answer.Generation, answer.Members
	})
	c.each(c.members, classicSync, func(m *sharer, r kmsg.Response) {
		if code := r.(*kmsg.SyncGroupResponse).ErrorCode; code != 0 {
			c.t.Errorf("syncing as %s: error code %d", m.id, code)
		}
	})
}

func classicJoin(m *sharer) kmsg.Request {
	q := kmsg.NewPtrJoinGroupRequest()
	q.Version, q.Group, q.ProtocolType, q.MemberID = 9, "g", "consumer", m.id
	q.SessionTimeoutMillis, q.RebalanceTimeoutMillis = 10_000, 60_000
	q.Protocols = []kmsg.JoinGroupRequestProtocol{{Name: "range", Metadata: grouptest.Subscription(grouptest.Args{"topics": "t"})}}
	return q
}

func classicSync(m *sharer) kmsg.Request {
	q := kmsg.NewPtrSyncGroupRequest()
	q.Version, q.Group, q.Generation, q.MemberID = 4, "g", m.epoch, m.id
	share := make([]byte, 4*shared/sharers)
	for _, of := range m.leads {
		q.GroupAssignment = append(q.GroupAssignment, kmsg.SyncGroupRequestGroupAssignment{MemberID: of.MemberID, MemberAssignment: share})
	}
	return q
}
