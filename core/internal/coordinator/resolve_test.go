package coordinator

import (
	"context"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/consumer"
	"odradek.dev/sdk/clock"
)

// expresses is a heartbeat of a member that joins with a regular expression.
func (h *house) expresses(groupID, member, regex string) reply {
	q := kmsg.NewPtrConsumerGroupHeartbeatRequest()
	q.Version, q.Group, q.MemberID = 1, groupID, member
	q.RebalanceTimeoutMillis, q.SubscribedTopicRegex, q.Topics = 5000, &regex, []kmsg.ConsumerGroupHeartbeatRequestTopic{}
	return h.ask(groupID, q)
}

// resolving is a house in which the member m has joined a group with an
// expression whose resolution takes until release is closed.
func resolving(t *testing.T, groupID, slow string) (h *house, joins reply, release chan struct{}) {
	h, release = newHouse(t), make(chan struct{})
	h.create("orders", 2)
	var asked atomic.Int32
	match := h.coordinator.resolver.match
	h.coordinator.resolver.match = func(expressions, names []string, turn func() error) ([][]string, error) {
		if expressions[0] == slow {
			asked.Add(1)
			select {
			case <-release:
			case <-h.coordinator.context.Done():
				return nil, h.coordinator.context.Err()
			}
		}
		return match(expressions, names, turn)
	}
	h.start()
	joins = h.expresses(groupID, "m", slow)
	require.Eventually(t, func() bool { return asked.Load() == 1 }, time.Minute, time.Millisecond)
	return h, joins, release
}

func TestAnExpressionIsResolved(t *testing.T) {
	h := newHouse(t)
	h.create("orders", 2)
	h.create("payments", 3)
	h.start()
	joined := answerOf[*kmsg.ConsumerGroupHeartbeatResponse](t, h.expresses("g", "m", "or.*"))
	require.Zero(t, joined.ErrorCode, "%v", joined.ErrorMessage)
	require.Len(t, joined.Assignment.Topics, 1)
	require.Len(t, joined.Assignment.Topics[0].Partitions, 2)
	h.create("orders-of-old", 4)
	h.clock.Advance(10 * time.Second)
	h.partitionsOf("g", "m", joined.MemberEpoch, 6)
}

// An expression that takes long holds up nobody but those who wait for it, and
// them no longer than a heartbeat.
func TestASlowExpressionHoldsUpNobodyElse(t *testing.T) {
	h, slow, release := resolving(t, "slow", "slow|orders")
	other := answerOf[*kmsg.ConsumerGroupHeartbeatResponse](t, h.beat("other", "m", 0, "orders"))
	require.Zero(t, other.ErrorCode)
	require.Len(t, other.Assignment.Topics[0].Partitions, 2)
	require.Zero(t, answerOf[*kmsg.ConsumerGroupHeartbeatResponse](t, h.beat("other", "m", other.MemberEpoch)).ErrorCode)
	require.Nil(t, committed(t, h.commit("third", "orders", 1)))
	named := answerOf[*kmsg.ConsumerGroupHeartbeatResponse](t, h.beat("slow", "a", 0, "orders"))
	require.Len(t, named.Assignment.Topics[0].Partitions, 2, "of the same group")
	require.False(t, slow.isThere())

	h.clock.Advance(5 * time.Second)
	joined := answerOf[*kmsg.ConsumerGroupHeartbeatResponse](t, slow)
	require.Zero(t, joined.ErrorCode)
	require.Empty(t, joined.Assignment.Topics)
	require.Zero(t, answerOf[*kmsg.ConsumerGroupHeartbeatResponse](t, h.beat("slow", "a", -1)).ErrorCode)
	close(release)
	h.partitionsOf("slow", "m", joined.MemberEpoch, 2)
}

// What an earlier machine asked is asked again by the one that was built from
// the log after it.
func TestAnExpressionThatWasBeingResolvedWhenTheLeaderChanged(t *testing.T) {
	h, joins, release := resolving(t, "g", "orders")
	h.lead(2, 2)
	require.Equal(t, kerr.NotCoordinator.Code, answerOf[*kmsg.ConsumerGroupHeartbeatResponse](t, joins).ErrorCode)
	h.lead(1, 3)
	h.serves()
	close(release)
	joined := answerOf[*kmsg.ConsumerGroupHeartbeatResponse](t, h.expresses("g", "m", "orders"))
	require.Zero(t, joined.ErrorCode)
	h.partitionsOf("g", "m", joined.MemberEpoch, 2)
}

// No more than half of the processors are at work, and of those that wait each
// gets its turn before the first is done.
func TestExpressionsTakeTurns(t *testing.T) {
	c := clock.NewFake(time.Unix(0, 0))
	r := newResolver(c)
	require.Equal(t, max(1, runtime.GOMAXPROCS(0)/2), cap(r.turns))
	r.turns = make(chan struct{}, 1)
	names := func() []string { return []string{"a", "b"} }
	quick := make(chan error)
	r.match = func(expressions, names []string, turn func() error) ([][]string, error) {
		if expressions[0] == "slow" {
			go func() {
				_, err := r.resolve(context.Background(), []string{"quick"}, func() []string { return nil })
				quick <- err
			}()
			// It is not done until the other is.
			for {
				c.Advance(turnTime)
				if err := turn(); err != nil {
					return nil, err
				}
				select {
				case err := <-quick:
					return nil, err
				default:
				}
			}
		}
		return consumer.Match(expressions, names, turn)
	}
	_, err := r.resolve(context.Background(), []string{"slow"}, names)
	require.NoError(t, err)
	require.Empty(t, r.turns)
}

func TestAResolutionEndsWithItsContext(t *testing.T) {
	c := clock.NewFake(time.Unix(0, 0))
	r := newResolver(c)
	r.turns = make(chan struct{}, 1)
	ctx, cancel := context.WithCancel(context.Background())
	_, err := r.resolve(ctx, []string{"a"}, func() []string {
		cancel()
		return []string{"a"}
	})
	require.ErrorIs(t, err, context.Canceled)
	require.Empty(t, r.turns)
	r.turns <- struct{}{}
	_, err = r.resolve(ctx, []string{"a"}, nil)
	require.ErrorIs(t, err, context.Canceled)
}
