package endtoend

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// A broker that is not to coordinate consumer groups any more has those that are
// in its log. Kafka 4.4.0 does the same with them.
func TestConsumerGroupsStayWhenTheirProtocolIsTakenAway(t *testing.T) {
	b := startBroker(t, "-X", "group.initial.rebalance.delay.ms=0",
		"-X", "group.consumer.min.heartbeat.interval.ms=100", "-X", "group.consumer.heartbeat.interval.ms=100",
		"-X", "group.consumer.min.session.timeout.ms=3000", "-X", "group.consumer.session.timeout.ms=3000")
	orders := newTopic(t, b.Addr, "orders", 2, nil)
	require.NoError(t, kadm.NewClient(orders.client).CommitAllOffsets(t.Context(), "deserted", allAt(2, 7)))
	for _, group := range []string{"deserted", "empty"} {
		m := &consumerMember{client: orders.client, group: group, id: "m", topic: "orders"}
		settle(t, []*consumerMember{m}, 2)
		if group == "empty" {
			m.epoch = -1
			m.beat(t)
		}
	}
	b.Args = append(b.Args, "-X", "group.coordinator.rebalance.protocols=classic")
	again(t, b)
	orders = orders.known(b.Addr)
	awaitGroups(t, orders.client, map[string]string{"deserted": "consumer", "empty": "consumer"})
	beat := kmsg.NewPtrConsumerGroupHeartbeatRequest()
	beat.Group, beat.MemberID, beat.MemberEpoch = "deserted", "m", 1
	answer, err := beat.RequestWith(t.Context(), orders.client)
	require.NoError(t, err)
	require.Equal(t, kerr.UnsupportedVersion.Code, answer.ErrorCode)

	client, err := kgo.NewClient(kgo.SeedBrokers(b.Addr), kgo.ConsumerGroup("empty"), kgo.ConsumeTopics("orders"))
	require.NoError(t, err)
	defer client.Close()
	awaitGroups(t, orders.client, map[string]string{"deserted": "consumer", "empty": "classic"})

	admin := kadm.NewClient(orders.client)
	require.Eventually(t, func() bool {
		listed, err := admin.ListGroups(t.Context())
		require.NoError(t, err)
		return listed["deserted"].State == "Empty"
	}, time.Minute, time.Millisecond, "who cannot say that it lives is out")
	offsets, err := admin.FetchOffsets(t.Context(), "deserted")
	require.NoError(t, err)
	require.EqualValues(t, 7, offsets["orders"][1].At)
}

// awaitGroups returns when the broker has these groups, each of its type. While
// it reads its groups it does not say all of them.
func awaitGroups(t *testing.T, client *kgo.Client, types map[string]string) {
	t.Helper()
	require.Eventually(t, func() bool {
		listed, err := kadm.NewClient(client).ListGroups(t.Context())
		for group, want := range types {
			if listed[group].GroupType != want {
				return false
			}
		}
		return err == nil && len(listed) == len(types)
	}, time.Minute, time.Millisecond)
}
