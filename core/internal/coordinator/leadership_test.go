package coordinator

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/controller/controllertest"
	"odradek.dev/core/internal/metadata"
	"odradek.dev/core/internal/refusal"
	"odradek.dev/sdk/assignor"
)

// waits is a JoinGroup that is answered when another member has joined.
func (h *house) waits() reply {
	h.t.Helper()
	first := answerOf[*kmsg.JoinGroupResponse](h.t, h.join("waits", "")).MemberID
	require.Zero(h.t, answerOf[*kmsg.JoinGroupResponse](h.t, h.join("waits", first)).ErrorCode)
	second := answerOf[*kmsg.JoinGroupResponse](h.t, h.join("waits", "")).MemberID
	r := h.join("waits", second)
	require.False(h.t, r.isThere())
	return r
}

func TestALeadershipThatMovesAndComesBack(t *testing.T) {
	h := newHouse(t)
	h.create("orders", 1)
	h.start()
	require.Nil(t, committed(t, h.commit("g", "orders", 1)))
	waits := h.waits()

	h.lead(2, 2)
	require.Equal(t, kerr.NotCoordinator.Code, answerOf[*kmsg.JoinGroupResponse](t, waits).ErrorCode)
	require.Equal(t, kerr.NotCoordinator, committed(t, h.commit("g", "orders", 2)))
	groups, kind := h.coordinator.List(kmsg.NewPtrListGroupsRequest())
	require.Nil(t, kind)
	require.Empty(t, groups, "another broker lists them")
	node, refused := h.coordinator.Find(t.Context(), "g")
	require.Nil(t, refused)
	require.EqualValues(t, 2, node)
	require.Zero(t, h.clock.timers())

	h.lead(1, 3)
	h.serves()
	require.EqualValues(t, 1, h.fetch("g", "orders"))
}

// A broker that is behind may see a leadership go and come back in one image.
func TestALeadershipThatCameBackUnseenIsANewOne(t *testing.T) {
	h := newHouse(t)
	h.create("orders", 1)
	h.start()
	require.Nil(t, committed(t, h.commit("g", "orders", 1)))
	waits := h.waits()
	topic, _ := h.planner.Image().Topic(Topic)
	h.planner.Apply(controllertest.PartitionChanged(topic.ID, 0, leadership(2, 2)), controllertest.PartitionChanged(topic.ID, 0, leadership(1, 3)))
	require.Equal(t, kerr.NotCoordinator.Code, answerOf[*kmsg.JoinGroupResponse](t, waits).ErrorCode)
	h.serves()
	require.EqualValues(t, 1, h.fetch("g", "orders"))
}

// G02: leaderships that change while a log is read; the last one counts.
func TestLoadsThatOverlap(t *testing.T) {
	h := newHouse(t)
	h.create("orders", 1)
	h.start()
	require.Nil(t, committed(t, h.commit("g", "orders", 7)))
	for epoch := int32(2); epoch < 40; epoch += 2 {
		h.lead(2, epoch)
		h.lead(1, epoch+1)
	}
	h.serves()
	require.EqualValues(t, 7, h.fetch("g", "orders"))
	h.lead(2, 40)
	h.becomes(away)
	require.Equal(t, kerr.NotCoordinator, committed(t, h.commit("g", "orders", 8)))
}

// G02: what was read under an earlier leadership is not taken under a later one,
// which may have been written to since.
func TestALoadThatIsOvertakenIsNotTaken(t *testing.T) {
	h := newHouse(t)
	h.create("orders", 1)
	h.start()
	require.Nil(t, committed(t, h.commit("g", "orders", 7)))
	s := h.shard()
	earlier := s.loads
	read := s.read(earlier)
	require.NoError(t, read.err)
	require.Equal(t, 1, read.records)
	require.Nil(t, committed(t, h.commit("g", "orders", 8)))

	gate := make(chan struct{})
	release := sync.OnceFunc(func() { close(gate) })
	t.Cleanup(release)
	h.engine.AfterRead = func() { <-gate }
	h.lead(2, 2)
	h.lead(1, 3)
	s.loaded(earlier, read)
	require.Equal(t, kerr.CoordinatorLoadInProgress, committed(t, h.commit("g", "orders", 9)))
	release()
	h.serves()
	require.EqualValues(t, 8, h.fetch("g", "orders"))
}

// To sarama and kafka-go any error here is the end of the membership.
func TestAHeartbeatIsWellWhileALogIsRead(t *testing.T) {
	h := newHouse(t)
	h.create("orders", 1)
	h.start()
	gate := make(chan struct{})
	release := sync.OnceFunc(func() { close(gate) })
	t.Cleanup(release)
	h.engine.AfterRead = func() { <-gate }
	require.Nil(t, committed(t, h.commit("g", "orders", 7)))
	h.lead(2, 2)
	h.lead(1, 3)
	beat := func() *kerr.Error {
		q := &kmsg.HeartbeatRequest{Version: 4, Group: "g", MemberID: "m", Generation: 1}
		return kerr.TypedErrorForCode(answerOf[*kmsg.HeartbeatResponse](t, h.ask("g", q)).ErrorCode)
	}
	require.Equal(t, kerr.CoordinatorLoadInProgress, committed(t, h.commit("g", "orders", 8)))
	require.Nil(t, beat())
	release()
	h.serves()
	require.Equal(t, kerr.UnknownMemberID, beat())
}

func TestTheTopicIsDeletedAndCreatedAgain(t *testing.T) {
	h := newHouse(t)
	h.create("orders", 1)
	h.start()
	require.Nil(t, committed(t, h.commit("g", "orders", 1)))
	topic, _ := h.planner.Image().Topic(Topic)
	require.Nil(t, h.planner.DeleteTopics(t.Context(), []metadata.TopicRef{{ID: topic.ID}})[0].Refusal)
	require.Equal(t, kerr.CoordinatorNotAvailable, committed(t, h.commit("g", "orders", 2)))
	h.start()
	require.EqualValues(t, -1, h.fetch("g", "orders"))
}

func TestStop(t *testing.T) {
	h := newHouse(t)
	h.create("orders", 1)
	h.start()
	waits := h.waits()
	h.assign = func(ctx context.Context, _ assignor.Snapshot) (assignor.Assignment, bool, error) {
		<-ctx.Done()
		return assignor.Assignment{}, false, ctx.Err()
	}
	joins := h.beat("k", "m", 0, "orders")
	h.coordinator.Stop()
	require.Equal(t, kerr.NotCoordinator.Code, answerOf[*kmsg.JoinGroupResponse](t, waits).ErrorCode)
	require.Equal(t, kerr.NotCoordinator.Code, answerOf[*kmsg.ConsumerGroupHeartbeatResponse](t, joins).ErrorCode)
	require.Equal(t, kerr.NotCoordinator, committed(t, h.commit("g", "orders", 1)))
	require.Zero(t, h.clock.timers())
}

// Whoever asks for a coordinator has the topic created, and there are many.
func TestATopicThatCannotBeCreated(t *testing.T) {
	h := newHouse(t)
	said, _ := h.listens()
	settle := h.planner.Rules.Settle
	h.planner.Rules.Settle = func(map[string]string) (metadata.Settled, error) {
		return metadata.Settled{}, errors.New("no such segment")
	}
	ask := func() *refusal.Refusal {
		_, refused := h.coordinator.Find(t.Context(), "g")
		return refused
	}
	for range 100 {
		require.Equal(t, kerr.CoordinatorNotAvailable, ask().Kind)
		require.Contains(t, ask().Message, "no such segment")
	}
	require.Equal(t, 1, said.count("cannot create the topic"))
	h.planner.Rules.Settle = settle
	h.clock.Advance(createDelay)
	require.Nil(t, ask())
}

func TestBeforeThereIsATopic(t *testing.T) {
	h := newHouse(t)
	h.create("orders", 1)
	require.Equal(t, kerr.CoordinatorNotAvailable, committed(t, h.commit("g", "orders", 1)))
	groups, kind := h.coordinator.List(kmsg.NewPtrListGroupsRequest())
	require.Nil(t, kind)
	require.Empty(t, groups)
}

// A coordinator that has no groups has no timer, nor does it do anything.
func TestACoordinatorAtRest(t *testing.T) {
	h := newHouse(t)
	h.create("orders", 1)
	goroutines := runtime.NumGoroutine()
	h.start()
	require.Zero(t, h.clock.timers())
	require.Eventually(t, func() bool { return runtime.NumGoroutine() <= goroutines+1 }, time.Minute, time.Millisecond, "this check is the one more")
	require.Nil(t, committed(t, h.commit("g", "orders", 1)))
	require.Equal(t, 1, h.clock.timers(), "it looks for old offsets")
	waits := h.waits()
	require.Equal(t, 1, h.clock.timers(), "a timer is enough, whoever waits")
	log := h.logOf()
	bounds, err := log.Bounds(t.Context())
	require.NoError(t, err)
	h.clock.Advance(createDelay)
	after, err := log.Bounds(t.Context())
	require.NoError(t, err)
	require.Equal(t, bounds.End, after.End)
	require.False(t, waits.isThere())
}
