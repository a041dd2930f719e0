package coordinator

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/step"
	"odradek.dev/core/internal/metadata"
	"odradek.dev/sdk/assignor"
	"odradek.dev/sdk/replication"
)

// inRacks gives the partitions of a topic replicas on brokers in racks: 2 is in
// east, 3 and 4 are in west. Broker 1, which leads, is in none.
func (h *house) inRacks(topic metadata.TopicID, replicas ...[]int32) {
	for id, rack := range map[int32]string{2: "east", 3: "west", 4: "west"} {
		h.planner.Apply(metadata.RegisterBroker(h.planner.Image(), metadata.Broker{ID: id, Epoch: 1, Rack: rack})...)
	}
	for number, on := range replicas {
		h.planner.SetPartition(topic, int32(number), replication.Record{
			Version: 2, Leader: 1, LeaderEpoch: 2, Replicas: on, InSync: on, MinInSync: 1,
		})
	}
}

func TestAViewHasTheRacksOfReplicas(t *testing.T) {
	h := newHouse(t)
	orders, payments := h.create("orders", 4), h.create("payments", 2)
	h.inRacks(orders, []int32{1, 2, 3}, []int32{1}, []int32{1, 4, 3}, []int32{1, 9})
	v := h.coordinator.newView(h.planner.Image())
	for range 2 { // it is kept from the first time
		topic, ok := v.describe("orders")
		require.True(t, ok)
		require.Equal(t, step.Topic{
			ID: orders, Name: "orders", Partitions: 4, Racks: [][]string{{"east", "west"}, nil, {"west", "west"}, nil},
		}, topic)
	}
	topic, ok := v.describe("payments")
	require.True(t, ok)
	require.Equal(t, step.Topic{ID: payments, Name: "payments", Partitions: 2}, topic, "no rack is known")
	_, ok = v.describe("refunds")
	require.False(t, ok)
}

func TestAnAssignorIsToldTheRacks(t *testing.T) {
	h := newHouse(t)
	orders := h.create("orders", 2)
	h.start()
	h.inRacks(orders, []int32{1, 2}, []int32{1, 3})
	told := make(chan assignor.Snapshot, 1)
	h.assign = func(ctx context.Context, s assignor.Snapshot) (assignor.Assignment, bool, error) {
		told <- s
		return allToFirst(ctx, s)
	}
	q := kmsg.NewPtrConsumerGroupHeartbeatRequest()
	q.Version, q.Group, q.MemberID, q.RackID = 1, "g", "m", kmsg.StringPtr("west")
	q.RebalanceTimeoutMillis, q.SubscribedTopicNames, q.Topics = 5000, []string{"orders"}, []kmsg.ConsumerGroupHeartbeatRequestTopic{}
	require.Zero(t, answerOf[*kmsg.ConsumerGroupHeartbeatResponse](t, h.ask("g", q)).ErrorCode)
	snapshot := <-told
	require.Equal(t, "west", snapshot.Members[0].Rack)
	require.Equal(t, [][]string{{"east"}, {"west"}}, snapshot.Topics[0].Racks)
}
