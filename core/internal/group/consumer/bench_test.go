package consumer

import (
	"fmt"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/grouptest"
	"odradek.dev/core/internal/group/step"
)

// A group of a thousand members over a thousand partitions, and what one
// heartbeat costs in it that says nothing new.
func BenchmarkHeartbeat(b *testing.B) {
	g, requests, heartbeat := thousand(b)
	b.ReportAllocs()
	now := int64(10_000)
	for b.Loop() {
		now++
		out := heartbeat(now, requests[now%int64(len(requests))])
		if len(out.Records) > 0 || len(out.Answers) != 1 {
			b.Fatalf("a heartbeat that says nothing new made %d records in state %s", len(out.Records), g.State())
		}
	}
}

// The same group when one member leaves and another joins, up to the new target
// assignment and without the time of the assignor.
func BenchmarkRebalance(b *testing.B) {
	g, requests, _ := thousand(b)
	b.ReportAllocs()
	now, gone := int64(10_000), requests[0]
	for b.Loop() {
		out := &step.Output{}
		now += 2000
		leave := *gone
		leave.MemberEpoch = -1
		g.Heartbeat(now, 1, step.Client{ID: "c", Host: "/h"}, &leave, out)
		b.StopTimer()
		left := grouptest.Spread(out.Assigns[0].Snapshot)
		b.StartTimer()
		g.Assigned(now, g.epoch, left, nil, out)
		now += 2000
		join := *gone
		join.MemberEpoch, join.RebalanceTimeoutMillis = 0, 1000
		join.SubscribedTopicNames, join.Topics = []string{"t"}, []kmsg.ConsumerGroupHeartbeatRequestTopic{}
		g.Heartbeat(now, 2, step.Client{ID: "c", Host: "/h"}, &join, out)
		b.StopTimer()
		joined := grouptest.Spread(out.Assigns[1].Snapshot)
		b.StartTimer()
		g.Assigned(now, g.epoch, joined, nil, out)
	}
}

type beat func(now int64, r *kmsg.ConsumerGroupHeartbeatRequest) *step.Output

// thousand makes the group, with a heartbeat for each of its members.
func thousand(b *testing.B) (*Group, []*kmsg.ConsumerGroupHeartbeatRequest, beat) {
	const members = 1000
	w := newWorld()
	w.Config.ConsumerMaxSize = members
	w.Config.ConsumerSessionTimeoutMs = 1 << 30
	w.Create("t", members)
	g := New("g", w)
	g.Loaded(0)
	heartbeat := func(now int64, r *kmsg.ConsumerGroupHeartbeatRequest) *step.Output {
		out := &step.Output{}
		g.Heartbeat(now, 1, step.Client{ID: "c", Host: "/h"}, r, out)
		for _, asked := range out.Assigns {
			g.Assigned(now, asked.Epoch, grouptest.Spread(asked.Snapshot), nil, out)
		}
		return out
	}
	requests := make([]*kmsg.ConsumerGroupHeartbeatRequest, members)
	for i := range requests {
		r := kmsg.NewPtrConsumerGroupHeartbeatRequest()
		r.Version, r.Group, r.MemberID, r.RebalanceTimeoutMillis = 1, "g", fmt.Sprint(i), 1000
		r.SubscribedTopicNames, r.Topics = []string{"t"}, []kmsg.ConsumerGroupHeartbeatRequestTopic{}
		heartbeat(1000, r)
		requests[i] = r
	}
	settled(b, g, requests, heartbeat)
	return g, requests, heartbeat
}

// settled has every member send heartbeats until it is where it is to be.
func settled(b *testing.B, g *Group, requests []*kmsg.ConsumerGroupHeartbeatRequest, heartbeat beat) {
	out := &step.Output{}
	g.Tick(5000, out)
	for _, asked := range out.Assigns {
		g.Assigned(5000, asked.Epoch, grouptest.Spread(asked.Snapshot), nil, out)
	}
	for range 3 {
		for _, r := range requests {
			r.MemberEpoch = g.members[r.MemberID].current.epoch
			heartbeat(5000, r)
		}
	}
	if state := g.State(); state != "Stable" {
		b.Fatalf("the group is %s", state)
	}
	for _, r := range requests {
		r.MemberEpoch, r.RebalanceTimeoutMillis, r.SubscribedTopicNames, r.Topics = g.epoch, -1, nil, nil
	}
}
