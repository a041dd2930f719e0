package kafka

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/config"
)

const groupSession = "consumer.session.timeout.ms"

// A group need not exist to be configured, as with Kafka.
func TestConfigsOfAGroup(t *testing.T) {
	b, _ := planned(t)
	fresh := described(t, b, ofGroup, "readers", groupSession)
	require.Equal(t, "45000", *fresh.Value)
	require.Equal(t, []int8{config.SourceDefault}, sources(fresh.ConfigSynonyms))
	require.Equal(t, "group."+groupSession, fresh.ConfigSynonyms[0].Name)

	longer := changing{kind: ofGroup, name: "readers", key: groupSession, value: " 50000 "}
	require.Equal(t, []int16{0}, incrementallyAt(t, b, 1, true, longer))
	require.EqualValues(t, config.SourceDefault, described(t, b, ofGroup, "readers", groupSession).Source, "it was only to be validated")
	require.Empty(t, listedGroups(t, b))
	require.Equal(t, []int16{0}, incrementallyAt(t, b, 1, false, longer))
	set := described(t, b, ofGroup, "readers", groupSession)
	require.Equal(t, "50000", *set.Value)
	require.EqualValues(t, config.SourceGroup, set.Source)
	require.False(t, set.ReadOnly)
	require.Equal(t, []int8{config.SourceGroup, config.SourceDefault}, sources(set.ConfigSynonyms))
	require.Equal(t, []string{"readers"}, listedGroups(t, b))

	// What the request does not name is removed.
	replaced := alterAt(t, b, 2, changing{kind: ofGroup, name: "readers", key: "consumer.heartbeat.interval.ms", value: "6000"})
	require.Zero(t, replaced.Resources[0].ErrorCode)
	require.EqualValues(t, config.SourceDefault, described(t, b, ofGroup, "readers", groupSession).Source)
	require.Equal(t, []int16{0}, incrementallyAt(t, b, 1, false, changing{kind: ofGroup, name: "readers", key: "consumer.heartbeat.interval.ms", operation: deleting}))
	require.Empty(t, listedGroups(t, b), "a group that sets nothing has no configs")
}

func listedGroups(t *testing.T, b *Backend) (names []string) {
	t.Helper()
	q := kmsg.NewPtrListConfigResourcesRequest()
	q.Version, q.ResourceTypes = 1, []int8{int8(ofGroup)}
	response := overTheWire(t, 1, listConfigResources(t.Context(), b, plaintext(), q), kmsg.NewPtrListConfigResourcesResponse())
	for _, r := range response.ConfigResources {
		require.EqualValues(t, ofGroup, r.Type)
		names = append(names, r.Name)
	}
	return names
}

func TestConfigsOfAllGroupsAreRefused(t *testing.T) {
	b, _ := planned(t)
	q := kmsg.NewPtrDescribeConfigsRequest()
	q.Version = 4
	q.Resources = append(q.Resources, resource(ofGroup, ""))
	require.Equal(t, kerr.InvalidRequest.Code, describeAt(t, b, q).Resources[0].ErrorCode)
	refused := alterAt(t, b, 2, changing{kind: ofGroup, name: "", key: "no.such", value: "1"})
	require.Equal(t, kerr.InvalidRequest.Code, refused.Resources[0].ErrorCode)
}

// What a member is told follows from its group's configs.
func TestAGroupActsOnItsConfigs(t *testing.T) {
	b := newTestBroker(t)
	b.create(t, "orders", 1, nil)
	slower := changing{kind: ofGroup, name: "slow", key: "consumer.heartbeat.interval.ms", value: "7000"}
	require.Equal(t, []int16{0}, incrementallyAt(t, b.backend, 1, false, slower))
	_, refused := b.coordinator.Find(t.Context(), "slow")
	require.Nil(t, refused)
	c := b.dial(t)
	require.EqualValues(t, 7000, heartbeatIntervalOf(t, c, "slow"))
	require.EqualValues(t, 5000, heartbeatIntervalOf(t, c, "other"))
}

// heartbeatIntervalOf is what a member of a group is told that joins it, as
// soon as the coordinator has loaded.
func heartbeatIntervalOf(t *testing.T, c *rawClient, group string) int32 {
	t.Helper()
	q := kmsg.NewPtrConsumerGroupHeartbeatRequest()
	q.Version, q.Group, q.MemberID, q.RebalanceTimeoutMillis = 1, group, "m-"+group, 60_000
	q.SubscribedTopicNames, q.Topics = []string{"orders"}, []kmsg.ConsumerGroupHeartbeatRequestTopic{}
	for {
		response := c.ask(q).(*kmsg.ConsumerGroupHeartbeatResponse)
		if response.ErrorCode == 0 {
			return response.HeartbeatIntervalMillis
		}
		require.Equal(t, kerr.CoordinatorLoadInProgress.Code, response.ErrorCode)
	}
}
