package coordinator

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/metadata"
	"odradek.dev/sdk/assignor"
)

// partitionsOf waits until a member has that many partitions.
func (h *house) partitionsOf(groupID, member string, epoch int32, want int) {
	h.t.Helper()
	require.Eventually(h.t, func() bool {
		h.clock.Advance(time.Second) // consumer.assignment.interval.ms
		r := answerOf[*kmsg.ConsumerGroupHeartbeatResponse](h.t, h.beat(groupID, member, epoch))
		require.Zero(h.t, r.ErrorCode, "%v", r.ErrorMessage)
		epoch = r.MemberEpoch
		q := &kmsg.ConsumerGroupDescribeRequest{Version: 1, Groups: []string{groupID}}
		described := answerOf[*kmsg.ConsumerGroupDescribeResponse](h.t, h.ask(groupID, q)).Groups[0]
		has := 0
		for _, topic := range described.Members[0].Assignment.TopicPartitions {
			has += len(topic.Partitions)
		}
		return has == want
	}, time.Minute, time.Millisecond)
}

func TestATopicThatGrowsIsAssignedAnew(t *testing.T) {
	h := newHouse(t)
	h.create("orders", 1)
	h.start()
	joined := answerOf[*kmsg.ConsumerGroupHeartbeatResponse](t, h.beat("g", "m", 0, "orders"))
	require.Zero(t, joined.ErrorCode)
	h.partitionsOf("g", "m", joined.MemberEpoch, 1)
	grown := []metadata.NewPartitions{{Topic: "orders", Count: 3}}
	require.Nil(t, h.planner.CreatePartitions(t.Context(), grown, false)[0].Refusal)
	h.partitionsOf("g", "m", joined.MemberEpoch, 3)
}

// An assignor that hangs keeps its group waiting, and nobody else: the member is
// told that it has nothing yet, and has its partitions when the fallback has answered.
func TestAnAssignorThatHangs(t *testing.T) {
	h := newHouse(t)
	h.create("orders", 2)
	h.start()
	deadline := make(chan struct{})
	h.assign = func(ctx context.Context, s assignor.Snapshot) (assignor.Assignment, bool, error) {
		select {
		case <-deadline:
		case <-ctx.Done():
			return assignor.Assignment{}, false, ctx.Err()
		}
		a, _, err := allToFirst(ctx, s)
		return a, true, err
	}
	joins := h.beat("g", "m", 0, "orders")
	require.Nil(t, committed(t, h.commit("other", "orders", 1)))
	require.False(t, joins.isThere())
	h.clock.Advance(10 * time.Second)
	joined := answerOf[*kmsg.ConsumerGroupHeartbeatResponse](t, joins)
	require.Zero(t, joined.ErrorCode)
	require.Empty(t, joined.Assignment.Topics)
	close(deadline)
	h.partitionsOf("g", "m", joined.MemberEpoch, 2)
}

// An assignment that an earlier machine asked for is not for the one that was
// built from the log after it.
func TestAnAssignmentThatIsLateIsNotTaken(t *testing.T) {
	h := newHouse(t)
	h.create("orders", 2)
	h.start()
	asked, late := make(chan struct{}), make(chan struct{})
	first := sync.OnceFunc(func() { close(asked) })
	h.assign = func(ctx context.Context, s assignor.Snapshot) (assignor.Assignment, bool, error) {
		first()
		<-late
		return allToFirst(ctx, s)
	}
	joins := h.beat("g", "m", 0, "orders")
	<-asked
	h.lead(2, 2)
	require.Equal(t, kerr.NotCoordinator.Code, answerOf[*kmsg.ConsumerGroupHeartbeatResponse](t, joins).ErrorCode)
	h.lead(1, 3)
	h.serves()
	close(late)
	joined := answerOf[*kmsg.ConsumerGroupHeartbeatResponse](t, h.beat("g", "m", 0, "orders"))
	require.Zero(t, joined.ErrorCode)
	h.partitionsOf("g", "m", joined.MemberEpoch, 2)
}

func TestASessionEnds(t *testing.T) {
	h := newHouse(t)
	h.create("orders", 1)
	h.start()
	require.Zero(t, answerOf[*kmsg.ConsumerGroupHeartbeatResponse](t, h.beat("g", "m", 0, "orders")).ErrorCode)
	h.clock.Advance(44 * time.Second)
	require.Equal(t, 1, h.members("g"))
	h.clock.Advance(2 * time.Second)
	require.Zero(t, h.members("g"))
}

func (h *house) members(groupID string) int {
	q := &kmsg.ConsumerGroupDescribeRequest{Version: 1, Groups: []string{groupID}}
	return len(answerOf[*kmsg.ConsumerGroupDescribeResponse](h.t, h.ask(groupID, q)).Groups[0].Members)
}

// A step whose records are not in the log asks for no assignment: the machine
// that would take it is not the one that asked.
func TestAStepThatFailedAsksForNoAssignment(t *testing.T) {
	h := newHouse(t)
	h.create("orders", 2)
	h.start()
	var asked atomic.Int32
	h.assign = func(ctx context.Context, s assignor.Snapshot) (assignor.Assignment, bool, error) {
		asked.Add(1)
		return allToFirst(ctx, s)
	}
	h.failOnce()
	joins := h.beat("g", "m", 0, "orders")
	require.Equal(t, kerr.NotCoordinator.Code, answerOf[*kmsg.ConsumerGroupHeartbeatResponse](t, joins).ErrorCode)
	h.coordinator.Stop()
	require.Zero(t, asked.Load())
}

// Somebody came and went before it was time for another assignment: there is
// nothing to decide, whatever the assignor would say.
func TestAnAssignorIsNotAskedWhenNothingChanged(t *testing.T) {
	h := newHouse(t)
	h.create("orders", 2)
	h.start()
	var asked atomic.Int32
	h.assign = func(ctx context.Context, s assignor.Snapshot) (assignor.Assignment, bool, error) {
		asked.Add(1)
		return allToFirst(ctx, s)
	}
	joined := answerOf[*kmsg.ConsumerGroupHeartbeatResponse](t, h.beat("g", "m", 0, "orders"))
	require.EqualValues(t, 1, asked.Load())
	// Within consumer.assignment.interval.ms, so that nobody is asked yet.
	h.beat("g", "n", 0, "orders")
	left := answerOf[*kmsg.ConsumerGroupHeartbeatResponse](t, h.beat("g", "n", -1))
	require.Zero(t, left.ErrorCode)
	require.Eventually(t, func() bool {
		h.clock.Advance(time.Second)
		q := &kmsg.ConsumerGroupDescribeRequest{Version: 1, Groups: []string{"g"}}
		g := answerOf[*kmsg.ConsumerGroupDescribeResponse](t, h.ask("g", q)).Groups[0]
		return g.AssignmentEpoch == g.Epoch && g.Epoch > joined.MemberEpoch
	}, time.Minute, time.Millisecond)
	require.EqualValues(t, 1, asked.Load())
}
