package controller

import (
	"bytes"
	"testing"

	"github.com/hashicorp/go-hclog"
	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/core/internal/metadata"
)

// setting sets one config of a resource.
func setting(r metadata.Resource, name, value string) []metadata.ConfigChange {
	return []metadata.ConfigChange{{Resource: r, Operations: []metadata.ConfigOperation{{Name: name, Value: &value}}}}
}

func orders() metadata.Resource {
	return metadata.Resource{Type: metadata.TopicResource, Name: "orders"}
}

func TestConfigsSurviveARestart(t *testing.T) {
	f := newFakeElection()
	o := optionsFor(f)
	first := started(t, o)
	require.Nil(t, first.CreateTopics(within(t), one("orders"), false)[0].Refusal)
	for _, changes := range [][]metadata.ConfigChange{
		setting(orders(), "retention.ms", "5"),
		setting(metadata.AllBrokers(), "min.insync.replicas", "2"),
		setting(metadata.OneBroker(1), "log.retention.ms", "7"),
		setting(metadata.OneGroup("readers"), "consumer.session.timeout.ms", "50000"),
	} {
		require.Nil(t, first.AlterConfigs(within(t), changes, false)[0])
	}
	stop(t, first)

	f.lead(1, 2)
	second := running(t, o)
	image := second.Image()
	require.Equal(t, map[string]string{"retention.ms": "5"}, image.Configs(orders()))
	require.Equal(t, map[string]string{"log.retention.ms": "7"}, image.Configs(metadata.OneBroker(1)))
	require.Equal(t, map[string]string{"consumer.session.timeout.ms": "50000"}, image.Configs(metadata.OneGroup("readers")))
	topic, _ := image.Topic("orders")
	require.EqualValues(t, 2, topic.Partitions[0].Record.MinInSync)
	require.Nil(t, second.CreateTopics(within(t), one("later"), false)[0].Refusal)
	later, _ := second.Image().Topic("later")
	require.EqualValues(t, 2, later.Partitions[0].Record.MinInSync, "new topics have it too")

	require.Nil(t, second.AlterConfigs(within(t), setting(orders(), "min.insync.replicas", "1"), false)[0])
	topic, _ = second.Image().Topic("orders")
	require.EqualValues(t, 1, topic.Partitions[0].Record.MinInSync)
}

func TestAlterConfigsOnlyValidates(t *testing.T) {
	f := newFakeElection()
	c := running(t, optionsFor(f))
	require.Nil(t, c.CreateTopics(within(t), one("orders"), false)[0].Refusal)
	before := c.Image()
	require.Nil(t, c.AlterConfigs(within(t), setting(orders(), "retention.ms", "5"), true)[0])
	require.Same(t, before, c.Image())
	require.Equal(t, kerr.InvalidConfig.Code, c.AlterConfigs(within(t), setting(orders(), "retention.ms", "x"), true)[0].Code())
}

func TestAlterConfigsHasKafkasCodes(t *testing.T) {
	f := newFakeElection()
	c := running(t, optionsFor(f))
	require.Nil(t, c.CreateTopics(within(t), one("orders"), false)[0].Refusal)
	clients := metadata.Resource{Type: metadata.ClientMetricsResource, Name: "latency"}
	group := metadata.OneGroup("readers")
	for _, refused := range []struct {
		resource          metadata.Resource
		name, value, says string
		want              *kerr.Error
	}{
		{orders(), "segment.bytes", "5", `segment.bytes: "5" is not allowed; it must be a whole number from 1048576 to 2147483647`, kerr.InvalidConfig},
		{orders(), "retention.msec", "5", `did you mean "retention.ms"?`, kerr.InvalidConfig},
		{orders(), "max.compaction.lag.ms", "5", "", nil},
		{orders(), "min.compaction.lag.ms", "6", "at most max.compaction.lag.ms, which is 5", kerr.InvalidConfig},
		{metadata.OneBroker(1), "num.partitions", "5", "cannot be changed while the broker runs", kerr.InvalidRequest},
		{metadata.OneBroker(1), "log.segment.bytes", "5", `log.segment.bytes: "5" is not allowed`, kerr.InvalidRequest},
		{metadata.OneBroker(1), "min.insync.replicas", "2", "for all brokers or for a topic", kerr.InvalidConfig},
		{metadata.OneBroker(1), "ssl.key.password", "x", "only for one listener", kerr.InvalidRequest},
		{metadata.AllBrokers(), "sasl.enabled.mechanisms", "PLAIN", "cannot be set for all brokers at once", kerr.InvalidRequest},
		{group, "consumer.session.timeout.ms", "5", "from 45000 to 60000", kerr.InvalidConfig},
		{group, "consumer.session.timeout", "50000", `did you mean "consumer.session.timeout.ms"?`, kerr.InvalidConfig},
		{metadata.OneGroup(""), "consumer.session.timeout.ms", "50000", "name it", kerr.InvalidRequest},
		{clients, "interval.ms", "5", "a whole number from 100 to 3600000", kerr.InvalidRequest},
		{clients, "interval", "5", "unknown client metrics config", kerr.InvalidRequest},
		{clients, "match", "client_id=a.*,host=b", "client_source_address", kerr.InvalidRequest},
	} {
		f := c.AlterConfigs(within(t), setting(refused.resource, refused.name, refused.value), false)[0]
		if refused.want == nil {
			require.Nil(t, f)
			continue
		}
		require.NotNil(t, f, "%s=%s", refused.name, refused.value)
		require.Equal(t, refused.want.Code, f.Code(), f.Message)
		require.Contains(t, f.Message, refused.says)
	}
}

func TestUnknownBrokerConfigsAreKeptAndWarnedOf(t *testing.T) {
	o := optionsFor(newFakeElection())
	var log bytes.Buffer
	o.Log = hclog.New(&hclog.LoggerOptions{Output: &log, Level: hclog.Warn})
	c := running(t, o)
	require.Nil(t, c.AlterConfigs(within(t), setting(metadata.OneBroker(1), "log.segment.byte", "5"), true)[0])
	require.Empty(t, log.String(), "it was to be validated only")
	require.Nil(t, c.AlterConfigs(within(t), setting(metadata.OneBroker(1), "log.segment.byte", "5"), false)[0])
	require.Equal(t, "5", c.Image().Configs(metadata.OneBroker(1))["log.segment.byte"])
	require.Contains(t, log.String(), `did you mean \"log.segment.bytes\"?`)
}

func TestListsAreAppendedToWhatActs(t *testing.T) {
	o := optionsFor(newFakeElection())
	o.Config.Set["log.cleanup.policy"] = "compact"
	c := running(t, o)
	also := "delete"
	changes := []metadata.ConfigChange{{Resource: metadata.OneBroker(1), Operations: []metadata.ConfigOperation{
		{Name: "log.cleanup.policy", Kind: metadata.AppendConfig, Value: &also},
	}}}
	require.Nil(t, c.AlterConfigs(within(t), changes, false)[0])
	require.Equal(t, "compact,delete", c.Image().Configs(metadata.OneBroker(1))["log.cleanup.policy"])
}

func TestAlterConfigsWithoutALeader(t *testing.T) {
	f := newFakeElection()
	c := running(t, optionsFor(f))
	f.lead(2, 2)
	changes := append(setting(metadata.AllBrokers(), "log.retention.ms", "5"), setting(metadata.OneBroker(1), "log.retention.ms", "5")...)
	failures := c.AlterConfigs(within(t), changes, false)
	require.Len(t, failures, 2)
	for _, failure := range failures {
		require.Equal(t, kerr.NotController.Code, failure.Code())
	}
}
