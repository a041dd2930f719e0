package classic

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/step"
)

func TestExplainNamesTheLeaderAndTheCause(t *testing.T) {
	w := newTestWorld()
	w.settings.InitialRebalanceDelayMs = 3000
	g := New("g", w)
	metadata := kmsg.ConsumerMemberMetadata{Topics: []string{"orders"}}
	join := kmsg.NewPtrJoinGroupRequest()
	join.Version, join.Group, join.ProtocolType, join.SessionTimeoutMillis, join.RebalanceTimeoutMillis = 3, "g", "consumer", 10_000, 60_000
	join.Protocols = []kmsg.JoinGroupRequestProtocol{{Name: "range", Metadata: metadata.AppendTo(nil)}}
	var out step.Output
	g.Join(1000, 1, step.Client{ID: "app"}, join, &out)
	x := g.Explain()
	require.Equal(t, "PreparingRebalance", x.State)
	require.EqualValues(t, -1, x.DecidedAtMs)
	require.True(t, x.Members[0].Waits)
	require.NotEmpty(t, x.Why)

	g.Tick(4000, &out)
	require.Empty(t, out.Rebalances, "the leader has yet to decide")
	assignment := kmsg.ConsumerMemberAssignment{Topics: []kmsg.ConsumerMemberAssignmentTopic{{Topic: "orders", Partitions: []int32{1}}}}
	sync := kmsg.NewPtrSyncGroupRequest()
	sync.Group, sync.Generation, sync.MemberID = "g", g.Generation(), g.leader
	sync.GroupAssignment = []kmsg.SyncGroupRequestGroupAssignment{{MemberID: g.leader, MemberAssignment: assignment.AppendTo(nil)}}
	g.Sync(4500, 2, sync, &out)
	require.Equal(t, []step.Rebalance{{Type: "classic", TookMs: 3500}}, out.Rebalances)
	x = g.Explain()
	require.Equal(t, "Stable", x.State)
	require.Equal(t, "range", x.Assignor)
	require.Equal(t, x.Members[0].ID, x.Leader)
	require.EqualValues(t, 4500, x.DecidedAtMs)
	require.Equal(t, []string{"orders"}, x.Members[0].Topics)
	require.Equal(t, []step.ExplainedPartition{{Topic: "orders", Partition: 1, State: step.PartitionHeld}}, x.Members[0].Partitions)
	require.False(t, x.Members[0].Waits)
}
