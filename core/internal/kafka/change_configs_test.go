package kafka

import (
	"context"
	"testing"

	"github.com/hashicorp/go-hclog"
	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/config"
	"odradek.dev/core/internal/metadata"
	"odradek.dev/core/internal/refusal"
)

// configRules are the definitions of this broker's configs, as the fakes of
// the controller need them.
func configRules() metadata.ConfigRules {
	return metadata.ConfigRules{
		ListDefault: func(_ metadata.Resource, name string) (string, bool) { return config.TopicList(name) },
		Check: func(r metadata.Resource, configs map[string]string, _ []string) *refusal.Refusal {
			b := config.Default()
			if r.Type == metadata.GroupResource {
				if err := b.CheckGroup(configs); err != nil {
					return refusal.New(kerr.InvalidConfig, "%v", err)
				}
			}
			if r.Type != metadata.BrokerResource {
				return nil
			}
			if err := config.CheckDynamic(configs, r == metadata.AllBrokers()); err != nil {
				return refusal.New(kerr.InvalidRequest, "%v", err)
			}
			return nil
		},
		MinInSync: func(map[string]string) int32 { return 1 },
	}
}

// changing is one config of one resource in a request.
type changing struct {
	kind             kmsg.ConfigResourceType
	name, key, value string
	operation        kmsg.IncrementalAlterConfigOp
}

func alterAt(t *testing.T, b *Backend, version int16, changes ...changing) *kmsg.AlterConfigsResponse {
	t.Helper()
	req := kmsg.NewPtrAlterConfigsRequest()
	req.Version = version
	for _, c := range changes {
		r := kmsg.NewAlterConfigsRequestResource()
		r.ResourceType, r.ResourceName = c.kind, c.name
		r.Configs = append(r.Configs, kmsg.AlterConfigsRequestResourceConfig{Name: c.key, Value: &c.value})
		req.Resources = append(req.Resources, r)
	}
	return overTheWire(t, version, alterConfigs(t.Context(), b, plaintext(), req), kmsg.NewPtrAlterConfigsResponse())
}

func incrementallyAt(t *testing.T, b *Backend, version int16, dry bool, changes ...changing) []int16 {
	t.Helper()
	req := kmsg.NewPtrIncrementalAlterConfigsRequest()
	req.Version, req.ValidateOnly = version, dry
	for _, c := range changes {
		r := kmsg.NewIncrementalAlterConfigsRequestResource()
		r.ResourceType, r.ResourceName = c.kind, c.name
		r.Configs = append(r.Configs, kmsg.IncrementalAlterConfigsRequestResourceConfig{Name: c.key, Op: c.operation, Value: &c.value})
		req.Resources = append(req.Resources, r)
	}
	resp := overTheWire(t, version, incrementalAlterConfigs(t.Context(), b, plaintext(), req), kmsg.NewPtrIncrementalAlterConfigsResponse())
	require.Len(t, resp.Resources, len(changes))
	var codes []int16
	for n, r := range resp.Resources {
		require.Equal(t, changes[n].name, r.ResourceName)
		require.Equal(t, changes[n].kind, r.ResourceType)
		require.Equal(t, r.ErrorCode == 0, r.ErrorMessage == nil, "whatever fails says why")
		codes = append(codes, r.ErrorCode)
	}
	return codes
}

func described(t *testing.T, b *Backend, kind kmsg.ConfigResourceType, name, key string) kmsg.DescribeConfigsResponseResourceConfig {
	t.Helper()
	req := kmsg.NewPtrDescribeConfigsRequest()
	req.Version, req.IncludeSynonyms = 4, true
	req.Resources = append(req.Resources, resource(kind, name, key))
	r := describeAt(t, b, req).Resources[0]
	require.Zero(t, r.ErrorCode, r.ErrorMessage)
	require.Len(t, r.Configs, 1)
	return r.Configs[0]
}

const (
	ofTopic   = kmsg.ConfigResourceTypeTopic
	ofBroker  = kmsg.ConfigResourceTypeBroker
	ofLogger  = kmsg.ConfigResourceTypeBrokerLogger
	ofClients = kmsg.ConfigResourceTypeClientMetrics
	ofGroup   = kmsg.ConfigResourceTypeGroupConfig
	appending = kmsg.IncrementalAlterConfigOpAppend
	deleting  = kmsg.IncrementalAlterConfigOpDelete
)

func TestAlterConfigsReplacesAtEveryVersion(t *testing.T) {
	for version := int16(0); version <= 2; version++ {
		b, p := planned(t)
		p.create(t, "a")
		alterAt(t, b, version, changing{kind: ofTopic, name: "a", key: "retention.ms", value: "5"})
		resp := alterAt(t, b, version,
			changing{kind: ofTopic, name: "a", key: "segment.ms", value: "7"}, changing{kind: ofTopic, name: "missing", key: "segment.ms", value: "7"},
			changing{kind: ofLogger, name: "7", key: rootLogger, value: "DEBUG"})
		require.Zero(t, resp.Resources[0].ErrorCode)
		require.Equal(t, kerr.UnknownTopicOrPartition.Code, resp.Resources[1].ErrorCode)
		require.Equal(t, kerr.InvalidRequest.Code, resp.Resources[2].ErrorCode, "loggers only by IncrementalAlterConfigs")
		topic, _ := p.Image().Topic("a")
		require.Equal(t, map[string]string{"segment.ms": "7"}, topic.Configs)
	}
}

func TestIncrementalAlterConfigsAtEveryVersion(t *testing.T) {
	for version := int16(0); version <= 1; version++ {
		b, p := planned(t)
		p.create(t, "a")
		require.Equal(t, []int16{0}, incrementallyAt(t, b, version, true, changing{kind: ofTopic, name: "a", key: "retention.ms", value: "5"}))
		require.EqualValues(t, config.SourceDefault, described(t, b, ofTopic, "a", "retention.ms").Source, "it was only to be validated")

		require.Equal(t, []int16{0}, incrementallyAt(t, b, version, false, changing{kind: ofTopic, name: "a", key: "cleanup.policy", value: "compact", operation: appending}))
		require.Equal(t, "delete,compact", *described(t, b, ofTopic, "a", "cleanup.policy").Value)
		require.Equal(t, []int16{0}, incrementallyAt(t, b, version, false, changing{kind: ofTopic, name: "a", key: "cleanup.policy", operation: deleting}))
		require.EqualValues(t, config.SourceDefault, described(t, b, ofTopic, "a", "cleanup.policy").Source)
	}
}

func TestChangesOfConfigsRefused(t *testing.T) {
	b, p := planned(t)
	p.create(t, "a")
	for _, c := range []struct {
		change changing
		want   *kerr.Error
	}{
		{changing{kind: ofTopic, name: "a", key: "retention.ms", value: "x"}, kerr.InvalidConfig},
		{changing{kind: ofTopic, name: "a", key: "no.such", value: "1"}, kerr.InvalidConfig},
		{changing{kind: ofTopic, name: "il*legal", key: "retention.ms", value: "1"}, kerr.InvalidTopicException},
		{changing{kind: ofBroker, name: "7", key: "num.partitions", value: "1"}, kerr.InvalidRequest},
		{changing{kind: ofBroker, name: "8", key: "log.retention.ms", value: "1"}, kerr.InvalidRequest},
		{changing{kind: ofBroker, name: "seven", key: "log.retention.ms", value: "1"}, kerr.InvalidRequest},
		{changing{kind: ofLogger, name: "8", key: rootLogger, value: "INFO"}, kerr.InvalidRequest},
		{changing{kind: ofLogger, name: "7", key: "kafka", value: "INFO"}, kerr.InvalidConfig},
		{changing{kind: ofLogger, name: "7", key: rootLogger, value: "LOUD"}, kerr.InvalidConfig},
		{changing{kind: ofLogger, name: "7", key: rootLogger, value: "INFO", operation: appending}, kerr.InvalidRequest},
		{changing{kind: ofLogger, name: "7", key: rootLogger, operation: deleting}, kerr.InvalidRequest},
		{changing{kind: ofGroup, name: "", key: "consumer.session.timeout.ms", value: "50000"}, kerr.InvalidRequest},
		{changing{kind: ofGroup, name: "g", key: "consumer.session.timeout.ms", value: "1"}, kerr.InvalidConfig},
		{changing{kind: ofGroup, name: "g", key: "no.such", value: "1"}, kerr.InvalidConfig},
		{changing{kind: ofGroup, name: "g", key: "streams.rack.aware.assignment.tags", value: "a", operation: appending}, kerr.InvalidConfig},
		{changing{kind: 99, name: "x", key: "x", value: "1"}, kerr.InvalidRequest},
	} {
		require.Equal(t, []int16{c.want.Code}, incrementallyAt(t, b, 1, false, c.change), "%+v", c.change)
	}
	twice := changing{kind: ofTopic, name: "a", key: "retention.ms", value: "1"}
	require.Equal(t, []int16{kerr.InvalidRequest.Code, 0, kerr.InvalidRequest.Code}, incrementallyAt(t, b, 1, false,
		twice, changing{kind: ofBroker, name: "", key: "log.retention.ms", value: "1"}, twice))
}

func TestDynamicBrokerConfigsShowAtBrokerAndTopic(t *testing.T) {
	b, p := planned(t)
	p.create(t, "a")
	set := func(broker, value string) {
		t.Helper()
		require.Equal(t, []int16{0}, incrementallyAt(t, b, 1, false, changing{kind: ofBroker, name: broker, key: "log.retention.ms", value: value}))
	}
	set("", "1000")
	set("7", "2000")
	for _, c := range []kmsg.DescribeConfigsResponseResourceConfig{
		described(t, b, ofBroker, "7", "log.retention.ms"), described(t, b, ofTopic, "a", "retention.ms"),
	} {
		require.Equal(t, "2000", *c.Value)
		require.EqualValues(t, config.SourceOwnBroker, c.Source)
		require.False(t, c.ReadOnly)
		require.Equal(t, []int8{config.SourceOwnBroker, config.SourceAllBrokers, config.SourceDefault}, sources(c.ConfigSynonyms))
	}
	all := described(t, b, ofBroker, "", "log.retention.ms")
	require.Equal(t, "1000", *all.Value)
	require.Equal(t, []int8{config.SourceAllBrokers}, sources(all.ConfigSynonyms))
}

func sources(synonyms []kmsg.DescribeConfigsResponseResourceConfigConfigSynonym) []int8 {
	var all []int8
	for _, s := range synonyms {
		all = append(all, int8(s.Source))
	}
	return all
}

func TestSecretsAreNull(t *testing.T) {
	b, _ := planned(t)
	const name = "listener.name.plaintext.ssl.key.password"
	require.Equal(t, []int16{0}, incrementallyAt(t, b, 1, false, changing{kind: ofBroker, name: "7", key: name, value: "hush"}))
	c := described(t, b, ofBroker, "7", name)
	require.True(t, c.IsSensitive)
	require.Nil(t, c.Value)
	require.Len(t, c.ConfigSynonyms, 1)
	require.Nil(t, c.ConfigSynonyms[0].Value)
}

func TestLevelOfTheLoggerCanBeChanged(t *testing.T) {
	b, _ := planned(t)
	b.Log = hclog.New(&hclog.LoggerOptions{Level: hclog.Info, Output: t.Output()})
	child := b.Log.Named("child")
	require.Equal(t, "INFO", *described(t, b, ofLogger, "7", rootLogger).Value)
	louder := changing{kind: ofLogger, name: "7", key: rootLogger, value: "DEBUG"}
	require.Equal(t, []int16{0}, incrementallyAt(t, b, 1, true, louder))
	require.False(t, child.IsDebug())
	require.Equal(t, []int16{0}, incrementallyAt(t, b, 1, false, louder))
	require.True(t, child.IsDebug())
	require.Equal(t, "DEBUG", *described(t, b, ofLogger, "7", rootLogger).Value)
}

func TestListConfigResources(t *testing.T) {
	b, p := planned(t)
	p.create(t, "b", "a")
	incrementallyAt(t, b, 1, false, changing{kind: ofClients, name: "latency", key: "interval.ms", value: "1000"})
	list := func(version int16, types ...int8) (code int16, names []string) {
		req := kmsg.NewPtrListConfigResourcesRequest()
		req.Version, req.ResourceTypes = version, types
		resp := overTheWire(t, version, listConfigResources(context.Background(), b, plaintext(), req), kmsg.NewPtrListConfigResourcesResponse())
		for _, r := range resp.ConfigResources {
			names = append(names, r.Name)
		}
		return resp.ErrorCode, names
	}
	for _, c := range []struct {
		version int16
		types   []int8
		names   []string
	}{
		{0, nil, []string{"latency"}},
		{1, nil, []string{"latency", "7", "7", "a", "b"}},
		{1, []int8{2, 2, 16}, []string{"latency", "a", "b"}},
		{1, []int8{32}, nil},
	} {
		code, names := list(c.version, c.types...)
		require.Zero(t, code)
		require.Equal(t, c.names, names)
	}
	code, names := list(1, 2, 99)
	require.Equal(t, kerr.UnsupportedVersion.Code, code)
	require.Empty(t, names)
	require.Equal(t, "1000", *described(t, b, ofClients, "latency", "interval.ms").Value)
}
