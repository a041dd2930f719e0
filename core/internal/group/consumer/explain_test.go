package consumer

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/grouptest"
	"odradek.dev/core/internal/group/step"
)

// explained is a group of which each step has a time.
type explained struct {
	*Group
	t *testing.T
	w *world
	// asked is the last question to an assignor.
	asked step.Assign
	ended []step.Rebalance
}

func newExplained(t *testing.T) *explained {
	w := newWorld()
	w.Config.ConsumerAssignmentIntervalMs = 0
	w.Create("orders", 4)
	return &explained{Group: New("g", w), t: t, w: w}
}

func (e *explained) take(out step.Output) {
	if len(out.Assigns) > 0 {
		e.asked = out.Assigns[len(out.Assigns)-1]
	}
	e.ended = append(e.ended, out.Rebalances...)
}

// beat is a heartbeat of a member that says what it has of topic orders.
func (e *explained) beat(now int64, member string, epoch int32, owned ...int32) {
	q := kmsg.NewPtrConsumerGroupHeartbeatRequest()
	q.Group, q.MemberID, q.MemberEpoch, q.RebalanceTimeoutMillis = "g", member, epoch, 60_000
	q.SubscribedTopicNames, q.Topics = []string{"orders"}, []kmsg.ConsumerGroupHeartbeatRequestTopic{}
	if len(owned) > 0 {
		q.Topics = append(q.Topics, kmsg.ConsumerGroupHeartbeatRequestTopic{TopicID: e.w.Topics["orders"].ID, Partitions: owned})
	}
	var out step.Output
	e.Heartbeat(now, 1, step.Client{ID: "app"}, q, &out)
	e.take(out)
}

// assigned answers the last question.
func (e *explained) assigned(now int64, err error) {
	var out step.Output
	e.Assigned(now, e.asked.Epoch, grouptest.Spread(e.asked.Snapshot), err, &out)
	e.take(out)
}

// text is a line for each member.
func (e *explained) text() string {
	x := e.Explain()
	lines := []string{fmt.Sprintf("%s by %s, epoch %d of %d, known %v", x.State, x.Assignor, x.TargetEpoch, x.Epoch, x.Known)}
	for _, m := range x.Members {
		line := fmt.Sprintf("%s kept %d gained %d lost %d:", m.ID, m.Kept, m.Gained, m.Lost)
		for _, p := range m.Partitions {
			line += fmt.Sprintf(" %d %s%s", p.Partition, p.State, p.Holder)
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func TestExplainFollowsARebalance(t *testing.T) {
	e := newExplained(t)
	e.beat(1000, "a", 0)
	require.Equal(t, "Assigning by uniform, epoch 1 of 2, known false\na kept 0 gained 0 lost 0:", e.text())
	e.assigned(1005, nil)
	require.Equal(t, "Stable by uniform, epoch 2 of 2, known true\na kept 0 gained 4 lost 0: 0 held 1 held 2 held 3 held", e.text())
	require.Equal(t, []step.Rebalance{{Type: "consumer", TookMs: 5}}, e.ended)

	e.beat(3000, "b", 0)
	e.assigned(3010, nil)
	require.Equal(t, `Reconciling by uniform, epoch 3 of 3, known true
a kept 2 gained 0 lost 2: 0 held 1 held 2 revoked 3 revoked
b kept 0 gained 2 lost 0: 2 awaiteda 3 awaiteda`, e.text())
	e.beat(4000, "a", 2, 0, 1, 2, 3)
	require.Contains(t, e.text(), "0 held 1 held 2 revoked 3 revoked")
	e.beat(5000, "a", 2, 0, 1)
	require.Contains(t, e.text(), "b kept 0 gained 2 lost 0: 2 due 3 due")
	require.Len(t, e.ended, 1, "b has yet to come for its partitions")
	e.beat(6000, "b", 3)
	require.Contains(t, e.text(), "Stable")
	require.Equal(t, []step.Rebalance{{Type: "consumer", TookMs: 5}, {Type: "consumer", TookMs: 3000}}, e.ended)
}

func TestExplainTellsOfFailuresAndFallbacks(t *testing.T) {
	e := newExplained(t)
	e.beat(1000, "a", 0)
	e.assigned(1000, errors.New("it hangs"))
	require.Equal(t, "it hangs", e.Explain().Failure)
	e.beat(5000, "a", 0)
	e.FellBack(2)
	e.assigned(5000, nil)
	x := e.Explain()
	require.Empty(t, x.Failure)
	require.True(t, x.Fallback)
	require.EqualValues(t, 5000, x.DecidedAtMs)
	require.Equal(t, "app", x.Members[0].Client.ID)
	require.Equal(t, []step.Rebalance{{Type: "consumer", TookMs: 4000}}, e.ended)
}
