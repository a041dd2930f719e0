package kafka

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/config"
	"odradek.dev/core/internal/coordinator"
	"odradek.dev/sdk/assignor"
	"odradek.dev/sdk/clock"
)

// newCoordinator is the real one; its assignor gives the first member all.
func newCoordinator(t testing.TB, b *Backend) *coordinator.Coordinator {
	var ids atomic.Int64
	c := coordinator.New(coordinator.Options{
		Config: b.Config, Controller: b.Controller, Partitions: b.Partitions,
		NewID: func() string { return fmt.Sprint(ids.Add(1)) }, Clock: clock.Real(), Log: hclog.NewNullLogger(),
		Assign: func(_ context.Context, _ string, s assignor.Snapshot) (assignor.Assignment, bool, error) {
			plan := assignor.NewPlan(s)
			for i, topic := range s.Topics {
				for number := range topic.Partitions {
					plan.Give(0, i, number)
				}
			}
			return plan.Assignment(), false, nil
		},
	})
	t.Cleanup(c.Stop)
	return c
}

func TestAConsumerOfAGroupGoesOnWhereItCommitted(t *testing.T) {
	for _, protocol := range []string{"classic", "consumer"} {
		t.Run(protocol, func(t *testing.T) {
			b := newTestBroker(t, func(c *config.Broker, _ *testBroker) { c.Groups.InitialRebalanceDelayMs = 0 })
			b.create(t, "orders", 1, nil)
			for i := range 4 {
				b.append(t, "orders", 0, batchOf(fmt.Sprint(i)))
			}
			require.Equal(t, []string{"0", "1"}, consumeTwo(t, b, protocol))
			require.Equal(t, []string{"2", "3"}, consumeTwo(t, b, protocol))
		})
	}
}

// consumeTwo polls one record at a time, since a batch has one, and leaves the
// group after the second.
func consumeTwo(t *testing.T, b *testBroker, protocol string) (values []string) {
	t.Helper()
	options := []kgo.Opt{
		kgo.ConsumerGroup("readers"), kgo.ConsumeTopics("orders"), kgo.DisableAutoCommit(),
		kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()), kgo.FetchMaxBytes(1),
	}
	if protocol == "consumer" {
		options = append(options, kgo.ServerSideBalancer())
	}
	ctx := t.Context()
	c, err := kgo.NewClient(append(options, kgo.SeedBrokers(b.addr))...)
	require.NoError(t, err)
	defer c.Close()
	for len(values) < 2 {
		fetches := c.PollRecords(ctx, 2-len(values))
		require.NoError(t, fetches.Err())
		for _, r := range fetches.Records() {
			values = append(values, string(r.Value))
			require.NoError(t, c.CommitRecords(ctx, r))
		}
	}
	return values
}

func TestARequestToNoCoordinatorIsRefused(t *testing.T) {
	b := newTestBroker(t)
	c := b.dial(t)
	q := kmsg.NewPtrHeartbeatRequest()
	q.Version, q.Group, q.MemberID = 4, "g", "m"
	require.Equal(t, kerr.CoordinatorNotAvailable.Code, c.ask(q).(*kmsg.HeartbeatResponse).ErrorCode)
}

// The answer to a join that waits for others comes when the broker stops, so
// that nothing keeps it.
func TestAJoinThatWaitsDoesNotKeepTheBroker(t *testing.T) {
	b := newTestBroker(t, func(c *config.Broker, _ *testBroker) { c.Groups.InitialRebalanceDelayMs = 3_600_000 })
	_, refused := b.coordinator.Find(t.Context(), "g")
	require.Nil(t, refused)
	c := b.dial(t)
	q := kmsg.NewPtrJoinGroupRequest()
	q.Version, q.Group, q.ProtocolType, q.SessionTimeoutMillis = 3, "g", "consumer", 10000
	q.RebalanceTimeoutMillis = 60000
	q.Protocols = []kmsg.JoinGroupRequestProtocol{{Name: "range", Metadata: []byte{0, 0, 0, 0, 0, 0}}}
	require.Eventually(t, func() bool {
		groups, kind := b.coordinator.List(kmsg.NewPtrListGroupsRequest())
		return kind == nil && len(groups) == 0
	}, time.Minute, time.Millisecond, "the coordinators have loaded")
	sent := c.send(q)
	require.Eventually(t, func() bool {
		groups, _ := b.coordinator.List(kmsg.NewPtrListGroupsRequest())
		return len(groups) == 1
	}, time.Minute, time.Millisecond)
	require.NoError(t, b.Shutdown(t.Context()))
	require.Equal(t, kerr.NotCoordinator.Code, c.receive(sent, q).(*kmsg.JoinGroupResponse).ErrorCode)
}

// As with Kafka, an expression that the broker resolves does not pass over
// internal topics.
func TestARegularExpressionMatchesInternalTopics(t *testing.T) {
	b := newTestBroker(t)
	b.create(t, "orders", 1, nil)
	_, refused := b.coordinator.Find(t.Context(), "g")
	require.Nil(t, refused)
	var assigned atomic.Bool
	c, err := kgo.NewClient(kgo.SeedBrokers(b.addr), kgo.ConsumerGroup("g"), kgo.ServerSideBalancer(), kgo.ConsumeRegex(),
		kgo.ConsumeTopics("orders", "__consumer_.*"),
		kgo.OnPartitionsAssigned(func(_ context.Context, _ *kgo.Client, partitions map[string][]int32) {
			if len(partitions[coordinator.Topic]) > 0 {
				assigned.Store(true)
			}
		}))
	require.NoError(t, err)
	defer c.Close()
	require.Eventually(t, assigned.Load, time.Minute, time.Millisecond)
}

func TestGroupsOfKIP848AreAFeature(t *testing.T) {
	b := newTestBroker(t)
	c := b.dial(t)
	heartbeat, describe := kmsg.NewPtrConsumerGroupHeartbeatRequest(), kmsg.NewPtrConsumerGroupDescribeRequest()
	heartbeat.Group, heartbeat.MemberID, describe.Groups = "g", "m", []string{"g", "h"}
	codes := func() []int16 {
		groups := c.ask(describe).(*kmsg.ConsumerGroupDescribeResponse).Groups
		return []int16{c.ask(heartbeat).(*kmsg.ConsumerGroupHeartbeatResponse).ErrorCode, groups[0].ErrorCode, groups[1].ErrorCode}
	}
	setLevel := func(level int16, kind int8) {
		q := kmsg.NewPtrUpdateFeaturesRequest()
		q.Version, q.TimeoutMillis = 1, 10_000
		q.FeatureUpdates = []kmsg.UpdateFeaturesRequestFeatureUpdate{featureUpdate(groupVersion, level, kind)}
		require.Zero(t, c.ask(q).(*kmsg.UpdateFeaturesResponse).ErrorCode)
	}
	setLevel(0, 2)
	refused := kerr.UnsupportedVersion.Code
	require.Equal(t, []int16{refused, refused, refused}, codes())
	setLevel(1, 1)
	require.NotContains(t, codes(), refused)
}

// Kafka answers so too: with the code and no more, whatever is wrong beside,
// while it goes on to advertise the requests and the feature.
func TestGroupsOfKIP848AreNotCoordinatedWithoutTheirProtocol(t *testing.T) {
	b := newTestBroker(t, func(c *config.Broker, _ *testBroker) { c.RebalanceProtocols = []string{"classic", "streams"} })
	c := b.dial(t)
	heartbeat, describe := kmsg.NewPtrConsumerGroupHeartbeatRequest(), kmsg.NewPtrConsumerGroupDescribeRequest()
	heartbeat.Group, heartbeat.MemberID, describe.Groups = "", "m", []string{"g", ""}
	for _, version := range []int16{0, 1} {
		heartbeat.Version, describe.Version = version, version
		beaten := c.ask(heartbeat).(*kmsg.ConsumerGroupHeartbeatResponse)
		require.Equal(t, kerr.UnsupportedVersion.Code, beaten.ErrorCode)
		require.Nil(t, beaten.ErrorMessage)
		groups := c.ask(describe).(*kmsg.ConsumerGroupDescribeResponse).Groups
		require.Len(t, groups, 2)
		for n, g := range groups {
			require.Equal(t, kerr.UnsupportedVersion.Code, g.ErrorCode)
			require.Equal(t, describe.Groups[n], g.Group)
		}
	}
	q := kmsg.NewPtrApiVersionsRequest()
	q.Version, q.ClientSoftwareName, q.ClientSoftwareVersion = 4, "test", "1"
	versions := c.ask(q).(*kmsg.ApiVersionsResponse)
	advertises := func(key int16) bool {
		return slices.ContainsFunc(versions.ApiKeys, func(k kmsg.ApiVersionsResponseApiKey) bool { return k.ApiKey == key })
	}
	require.True(t, advertises(heartbeat.Key()))
	require.True(t, advertises(describe.Key()))
	require.True(t, slices.ContainsFunc(versions.FinalizedFeatures, func(f kmsg.ApiVersionsResponseFinalizedFeature) bool {
		return f.Name == groupVersion && f.MaxVersionLevel == 1
	}))
}
