package group

import (
	"maps"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/grouptest"
	"odradek.dev/core/internal/group/offsets"
	"odradek.dev/core/internal/group/step"
)

func TestOverviews(t *testing.T) {
	w := newBroker()
	w.Create("orders", 2)
	m := New(w)
	m.Loaded(0)
	commit := kmsg.NewPtrOffsetCommitRequest()
	commit.Version, commit.Group, commit.Generation = 8, "standalone", -1
	commit.Topics = []kmsg.OffsetCommitRequestTopic{{Topic: "orders", Partitions: []kmsg.OffsetCommitRequestTopicPartition{{Partition: 1, Offset: 7, LeaderEpoch: -1}}}}
	m.Handle(1000, 1, step.Client{}, commit)
	join := kmsg.NewPtrConsumerGroupHeartbeatRequest()
	join.Group, join.MemberID, join.RebalanceTimeoutMillis, join.SubscribedTopicNames = "live", "a", 60_000, []string{"orders"}
	join.Topics = []kmsg.ConsumerGroupHeartbeatRequestTopic{}
	out := m.Handle(1000, 2, step.Client{ID: "app"}, join)
	m.Assigned(1000, step.Assigned{Assign: out.Assigns[0], Assignment: grouptest.Spread(out.Assigns[0].Snapshot), Fallback: true})

	found := map[string]Overview{}
	for o := range m.Overviews() {
		found[o.ID] = o
	}
	require.Equal(t, Overview{ID: "live", Type: "consumer", State: "Stable", Members: 1}, found["live"])
	standalone := found["standalone"]
	require.Equal(t, []any{"classic", "Empty", 0}, []any{standalone.Type, standalone.State, standalone.Members})
	require.Equal(t, map[int32]offsets.Committed{1: {Offset: 7, LeaderEpoch: -1, Timestamp: 1000, Expires: -1, TopicID: w.Topics["orders"].ID}}, maps.Clone(standalone.Offsets["orders"]))
	require.Len(t, found, 2)

	x, ok := m.Explain("live")
	require.True(t, ok)
	require.True(t, x.Fallback)
	x, ok = m.Explain("standalone")
	require.True(t, ok)
	require.Equal(t, "classic", x.Type)
	_, ok = m.Explain("nobody")
	require.False(t, ok)
}
