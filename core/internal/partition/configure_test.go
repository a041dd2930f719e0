package partition

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/core/internal/config"
	"odradek.dev/core/internal/metadata"
	"odradek.dev/core/internal/refusal"
	"odradek.dev/sdk/storage"
)

// configure sets configs of a resource, which replace what was set before.
func (h *house) configure(r metadata.Resource, configs map[string]string) {
	h.t.Helper()
	rules := h.rules
	rules.Configs = metadata.ConfigRules{
		Check: func(metadata.Resource, map[string]string, []string) *refusal.Refusal { return nil },
		MinInSync: func(forAll map[string]string) int32 {
			return h.config.With(forAll, nil).Topic.MinInSyncReplicas
		},
	}
	change := metadata.ConfigChange{Resource: r, Replace: true}
	for name, value := range configs {
		change.Operations = append(change.Operations, metadata.ConfigOperation{Name: name, Value: &value})
	}
	records, failures := metadata.AlterConfigs(h.image, rules, []metadata.ConfigChange{change})
	require.Nil(h.t, failures[0])
	h.plan(metadata.Plan{Records: records})
}

func topicResource(name string) metadata.Resource {
	return metadata.Resource{Type: metadata.TopicResource, Name: name}
}

// refusedWith is nil if p takes a small batch.
func refusedWith(p *Partition) *kerr.Error {
	if a, _ := p.Append(values("a"), 1, nil, 0); a.Refusal != nil {
		return a.Refusal.Kind
	}
	return nil
}

func TestConfigsOfATopicActOnOpenPartitions(t *testing.T) {
	h := newHouse(t, 1)
	h.create("orders", 1)
	h.create("others", 1)
	p := h.partition("orders", 0)
	require.Nil(t, refusedWith(p))

	h.configure(topicResource("orders"), map[string]string{"max.message.bytes": "10"})
	require.Equal(t, kerr.MessageTooLarge, refusedWith(p))
	require.Nil(t, refusedWith(h.partition("others", 0)))
	log := h.engine.Log(storage.ID{Topic: "orders", TopicID: metadata.TopicID{1}})
	require.Empty(t, log.Configured, "nothing changed for the log")

	h.configure(topicResource("orders"), map[string]string{"segment.bytes": "1048576", "message.timestamp.type": "LogAppendTime"})
	require.EqualValues(t, 1<<20, log.Configured[0].SegmentBytes)
	a := mustAppend(t, p, values("a"))
	require.EqualValues(t, nowMs, a.LogAppendTimeMs)

	h.configure(topicResource("orders"), nil)
	require.EqualValues(t, 1<<30, log.Configured[1].SegmentBytes)
	require.EqualValues(t, -1, mustAppend(t, p, values("a")).LogAppendTimeMs)
}

// The logs of a topic do not all roll at once: each has its own age to do so.
func TestJitterIsOfThePartition(t *testing.T) {
	h := newHouse(t, 1)
	h.create("orders", 8)
	ages := func() (all []int64) {
		for i := range int32(8) {
			log := h.engine.Log(h.partition("orders", i).ID())
			all = append(all, log.Configured[len(log.Configured)-1].SegmentMs)
		}
		return all
	}
	h.configure(topicResource("orders"), map[string]string{"segment.ms": "100000", "segment.jitter.ms": "60000"})
	first, different := ages(), map[int64]bool{}
	for _, age := range first {
		require.Greater(t, age, int64(40_000))
		require.LessOrEqual(t, age, int64(100_000))
		different[age] = true
	}
	require.Greater(t, len(different), 4)

	h.configure(topicResource("orders"), map[string]string{"segment.ms": "10", "segment.jitter.ms": "60000"})
	for _, age := range ages() {
		require.Positive(t, age)
		require.LessOrEqual(t, age, int64(10))
	}
	h.configure(topicResource("orders"), map[string]string{"segment.ms": "100000", "segment.jitter.ms": "60000"})
	require.Equal(t, first, ages(), "it stays that of the partition")
	h.configure(topicResource("orders"), map[string]string{"segment.ms": "100000"})
	for _, age := range ages() {
		require.EqualValues(t, 100_000, age)
	}
}

func TestConfigsOfBrokersActOnTopicsThatSetNothing(t *testing.T) {
	h := newHouse(t, 1)
	h.create("orders", 1)
	h.create("own", 1)
	h.configure(topicResource("own"), map[string]string{"max.message.bytes": "1000"})
	orders, own := h.partition("orders", 0), h.partition("own", 0)

	h.configure(metadata.AllBrokers(), map[string]string{"message.max.bytes": "10"})
	require.Equal(t, kerr.MessageTooLarge, refusedWith(orders))
	require.Nil(t, refusedWith(own))
	h.create("later", 1)
	require.Equal(t, kerr.MessageTooLarge, refusedWith(h.partition("later", 0)))

	h.configure(metadata.OneBroker(1), map[string]string{"message.max.bytes": "1000"})
	require.Nil(t, refusedWith(orders), "this broker's own value goes before that of all")
	h.configure(metadata.OneBroker(2), map[string]string{"message.max.bytes": "10"})
	require.Nil(t, refusedWith(orders), "another broker's is not ours")
	h.configure(metadata.OneBroker(1), nil)
	require.Equal(t, kerr.MessageTooLarge, refusedWith(orders))

	h.configure(metadata.AllBrokers(), map[string]string{"producer.id.expiration.ms": "5", "min.insync.replicas": "2"})
	require.Nil(t, refusedWith(orders))
	require.EqualValues(t, 5, orders.producers.expireMs)
	require.EqualValues(t, 2, orders.record.MinInSync)
}

func TestConfigsOfBrokersActAfterARestart(t *testing.T) {
	h := newHouse(t, 1)
	h.create("orders", 1)
	h.configure(metadata.AllBrokers(), map[string]string{"message.max.bytes": "10"})
	require.NoError(t, h.registry.Close(t.Context()))
	h.start()
	require.Equal(t, kerr.MessageTooLarge, refusedWith(h.partition("orders", 0)))
	require.EqualValues(t, config.Default().Topic.MaxMessageBytes, h.config.Topic.MaxMessageBytes, "the broker's own configuration stays as it is")
}
