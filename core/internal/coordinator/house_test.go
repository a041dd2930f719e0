package coordinator

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
	"go.uber.org/goleak"

	"odradek.dev/core/internal/config"
	"odradek.dev/core/internal/controller/controllertest"
	"odradek.dev/core/internal/group/step"
	"odradek.dev/core/internal/metadata"
	"odradek.dev/core/internal/partition"
	"odradek.dev/core/internal/partition/partitiontest"
	"odradek.dev/core/internal/refusal"
	"odradek.dev/sdk/assignor"
	"odradek.dev/sdk/clock"
	"odradek.dev/sdk/codec"
	"odradek.dev/sdk/replication"
	"odradek.dev/sdk/storage"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// house is a broker that has partitions and a coordinator, with fakes below and
// a clock that stands still.
type house struct {
	t           testing.TB
	engine      *partitiontest.Engine
	strategy    *partitiontest.Strategy
	clock       *countingClock
	planner     *controllertest.Planner
	partitions  *partition.Registry
	coordinator *Coordinator
	// assign computes assignments; it may be changed before they are asked for.
	assign func(ctx context.Context, s assignor.Snapshot) (assignor.Assignment, bool, error)
}

func newHouse(t testing.TB) *house {
	b := config.Default()
	b.NodeID, b.LogDirs, b.OffsetsTopic.Partitions, b.Groups.InitialRebalanceDelayMs = 1, []string{t.TempDir()}, 1, 0
	b.OffsetsTopic.SegmentBytes = 4 << 20
	h := &house{
		t: t, engine: &partitiontest.Engine{}, strategy: &partitiontest.Strategy{},
		clock: &countingClock{Fake: clock.NewFake(time.UnixMilli(1_700_000_000_000))}, assign: allToFirst,
	}
	none := func(int8, []byte, []byte, int) ([]byte, error) { return nil, codec.ErrNone }
	h.partitions = partition.NewRegistry(partition.Options{
		Config: &b, Engine: h.engine, Strategies: map[string]replication.Strategy{"isr": h.strategy},
		Decompress: none, Compress: none, Clock: clock.Real(), Log: hclog.NewNullLogger(),
	})
	require.NoError(t, h.partitions.Mount(context.Background(), "cluster"))
	rules := metadata.ConfigRules{
		ListDefault: func(_ metadata.Resource, name string) (string, bool) { return config.TopicList(name) },
		Check:       func(metadata.Resource, map[string]string, []string) *refusal.Refusal { return nil },
		MinInSync:   func(map[string]string) int32 { return 1 },
	}
	h.planner = controllertest.New(&b, metadata.Broker{ID: 1, Epoch: 1}, rules, h.partitions.Apply)
	var ids atomic.Int64
	h.coordinator = New(Options{
		Config: &b, Controller: h.planner, Partitions: h.partitions,
		NewID: func() string { return fmt.Sprint(ids.Add(1)) }, Clock: h.clock, Log: hclog.NewNullLogger(),
		Assign: func(ctx context.Context, _ string, s assignor.Snapshot) (assignor.Assignment, bool, error) {
			return h.assign(ctx, s)
		},
	})
	h.planner.Told = func(old, next *metadata.Image) error {
		require.NoError(t, h.partitions.Apply(old, next))
		return h.coordinator.Apply(old, next)
	}
	t.Cleanup(func() {
		h.coordinator.Stop()
		require.NoError(t, h.partitions.Close(context.Background()))
	})
	return h
}

// start has the topic of groups created, and waits until it is read.
func (h *house) start() *house {
	h.t.Helper()
	_, refused := h.coordinator.Find(context.Background(), "g")
	require.Nil(h.t, refused)
	h.serves()
	return h
}

// create makes a topic.
func (h *house) create(name string, partitions int32) metadata.TopicID {
	h.t.Helper()
	result := h.planner.CreateTopics(context.Background(), []metadata.NewTopic{{Name: name, Partitions: partitions, ReplicationFactor: 1}}, false)[0]
	require.Nil(h.t, result.Refusal)
	return result.ID
}

func (h *house) serves() {
	h.t.Helper()
	h.becomes(serving)
}

func (h *house) becomes(want state) {
	h.t.Helper()
	s := h.shard()
	require.Eventually(h.t, func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.state == want
	}, time.Minute, 100*time.Microsecond)
}

func (h *house) shard() *shard { return h.coordinator.all()[0] }

// lead has the partition of groups led by a broker, in a leader epoch.
func (h *house) lead(leader, epoch int32) {
	topic, _ := h.planner.Image().Topic(Topic)
	h.planner.SetPartition(topic.ID, 0, leadership(leader, epoch))
}

func leadership(leader, epoch int32) replication.Record {
	return replication.Record{
		Version: int64(epoch), Leader: leader, LeaderEpoch: epoch, Replicas: []int32{1}, InSync: []int32{1}, MinInSync: 1,
	}
}

// logOf is the log of the partition of groups.
func (h *house) logOf() *partitiontest.Log {
	topic, _ := h.planner.Image().Topic(Topic)
	return h.engine.Log(storage.ID{Topic: Topic, TopicID: topic.ID})
}

// holdSyncs keeps what is appended from becoming durable until release is called.
func (h *house) holdSyncs() (release func()) {
	gate := make(chan struct{})
	h.logOf().Gate = gate
	release = sync.OnceFunc(func() { close(gate) })
	h.t.Cleanup(release)
	return release
}

// reply is the answer to one request, when there is one.
type reply struct{ to chan kmsg.Response }

// ask sends a request. A second answer would block, and the test with it.
func (h *house) ask(groupID string, q kmsg.Request) reply {
	r := reply{make(chan kmsg.Response, 1)}
	h.coordinator.Do(groupID, step.Client{ID: "c", Host: "/h"}, q, func(response kmsg.Response) { r.to <- response })
	h.clock.Advance(0) // what is due at once
	return r
}

func (r reply) isThere() bool { return len(r.to) > 0 }

func answerOf[R kmsg.Response](t testing.TB, r reply) R {
	t.Helper()
	select {
	case response := <-r.to:
		return response.(R)
	case <-time.After(time.Minute):
		t.Fatal("there is no answer")
		panic("unreachable")
	}
}

// commit commits an offset of a consumer that is in no group.
func (h *house) commit(groupID, topic string, offset int64) reply {
	q := kmsg.NewPtrOffsetCommitRequest()
	q.Version, q.Group, q.Generation = 9, groupID, -1
	q.Topics = []kmsg.OffsetCommitRequestTopic{{Topic: topic, Partitions: []kmsg.OffsetCommitRequestTopicPartition{{Offset: offset}}}}
	return h.ask(groupID, q)
}

func committed(t testing.TB, r reply) *kerr.Error {
	t.Helper()
	return kerr.TypedErrorForCode(answerOf[*kmsg.OffsetCommitResponse](t, r).Topics[0].Partitions[0].ErrorCode)
}

// fetch is the committed offset, -1 if there is none.
func (h *house) fetch(groupID, topic string) int64 {
	h.t.Helper()
	group := kmsg.NewOffsetFetchRequestGroup()
	group.Group, group.Topics = groupID, []kmsg.OffsetFetchRequestGroupTopic{{Topic: topic, Partitions: []int32{0}}}
	r := answerOf[*kmsg.OffsetFetchResponse](h.t, h.ask(groupID, &kmsg.OffsetFetchRequest{Version: 9, Groups: []kmsg.OffsetFetchRequestGroup{group}}))
	require.Zero(h.t, r.Groups[0].ErrorCode)
	return r.Groups[0].Topics[0].Partitions[0].Offset
}

// beat is a heartbeat of the consumer protocol; one of epoch 0 joins.
func (h *house) beat(groupID, member string, epoch int32, topics ...string) reply {
	q := kmsg.NewPtrConsumerGroupHeartbeatRequest()
	q.Version, q.Group, q.MemberID, q.MemberEpoch = 1, groupID, member, epoch
	if epoch == 0 {
		q.RebalanceTimeoutMillis, q.SubscribedTopicNames, q.Topics = 5000, topics, []kmsg.ConsumerGroupHeartbeatRequestTopic{}
	}
	return h.ask(groupID, q)
}

func allToFirst(_ context.Context, s assignor.Snapshot) (assignor.Assignment, bool, error) {
	plan := assignor.NewPlan(s)
	for i, topic := range s.Topics {
		for number := range topic.Partitions {
			plan.Give(0, i, number)
		}
	}
	return plan.Assignment(), false, nil
}

// countingClock counts the timers that are set.
type countingClock struct {
	*clock.Fake
	mu  sync.Mutex
	set map[*countedTimer]struct{}
	// away is the time that passed without timers.
	away time.Duration
	// forward is by how much the clock was set forward.
	forward time.Duration
}

type countedTimer struct {
	clock.Timer
	of *countingClock
}

func (c *countingClock) AfterFunc(d time.Duration, call func()) clock.Timer {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := &countedTimer{of: c}
	if c.set == nil {
		c.set = make(map[*countedTimer]struct{})
	}
	c.set[t] = struct{}{}
	t.Timer = c.Fake.AfterFunc(d, func() { t.over(); call() })
	return t
}

func (t *countedTimer) Stop() bool { t.over(); return t.Timer.Stop() }

func (t *countedTimer) over() {
	t.of.mu.Lock()
	defer t.of.mu.Unlock()
	delete(t.of.set, t)
}

func (c *countingClock) timers() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.set)
}
