package kafka

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/config"
	"odradek.dev/core/internal/metadata"
)

func describeAt(t *testing.T, b *Backend, req *kmsg.DescribeConfigsRequest) *kmsg.DescribeConfigsResponse {
	t.Helper()
	return overTheWire(t, req.Version, describeConfigs(t.Context(), b, plaintext(), req), kmsg.NewPtrDescribeConfigsResponse())
}

func resource(kind kmsg.ConfigResourceType, name string, keys ...string) kmsg.DescribeConfigsRequestResource {
	r := kmsg.NewDescribeConfigsRequestResource()
	r.ResourceType, r.ResourceName, r.ConfigNames = kind, name, keys
	return r
}

func TestDescribeConfigsOfATopic(t *testing.T) {
	for version := int16(1); version <= 4; version++ {
		b, p := planned(t)
		p.CreateTopics(t.Context(), []metadata.NewTopic{
			{Name: "a", Partitions: 1, ReplicationFactor: 1, Configs: map[string]string{"cleanup.policy": "delete"}},
		}, false)
		req := kmsg.NewPtrDescribeConfigsRequest()
		req.Version, req.IncludeSynonyms, req.IncludeDocumentation = version, true, true
		req.Resources = append(req.Resources, resource(kmsg.ConfigResourceTypeTopic, "a"), resource(kmsg.ConfigResourceTypeTopic, "a", "cleanup.policy", "nothing"))
		resp := describeAt(t, b, req)
		require.Len(t, resp.Resources[0].Configs, len(config.DescribeTopic(b.Config, nil)))
		require.Zero(t, resp.Resources[0].ErrorCode)
		require.Equal(t, "", *resp.Resources[0].ErrorMessage)
		require.Len(t, resp.Resources[1].Configs, 1)
		c := resp.Resources[1].Configs[0]
		require.Equal(t, "delete", *c.Value)
		require.EqualValues(t, config.SourceTopic, c.Source, "a value that is set to the default is set")
		require.False(t, c.ReadOnly)
		require.Len(t, c.ConfigSynonyms, 2)
		require.Equal(t, "cleanup.policy", c.ConfigSynonyms[0].Name)
		require.Equal(t, "log.cleanup.policy", c.ConfigSynonyms[1].Name)
		if version >= 3 {
			require.NotEmpty(t, *c.Documentation)
			require.Equal(t, kmsg.ConfigTypeList, c.ConfigType)
		}
	}
}

func TestDescribeConfigsLeavesOutWhatIsNotAskedFor(t *testing.T) {
	b, p := planned(t)
	p.create(t, "a")
	req := kmsg.NewPtrDescribeConfigsRequest()
	req.Version = 4
	req.Resources = append(req.Resources, resource(kmsg.ConfigResourceTypeTopic, "a", "retention.ms"))
	c := describeAt(t, b, req).Resources[0].Configs[0]
	require.Empty(t, c.ConfigSynonyms)
	require.Nil(t, c.Documentation)
}

func TestDescribeConfigsOfABroker(t *testing.T) {
	b, _ := planned(t)
	req := kmsg.NewPtrDescribeConfigsRequest()
	req.Version = 4
	req.Resources = append(req.Resources,
		resource(kmsg.ConfigResourceTypeBroker, "7"), resource(kmsg.ConfigResourceTypeBroker, ""))
	resp := describeAt(t, b, req)
	values := map[string]kmsg.DescribeConfigsResponseResourceConfig{}
	for _, c := range resp.Resources[0].Configs {
		values[c.Name] = c
	}
	require.Contains(t, values, "num.partitions")
	require.True(t, values["num.partitions"].ReadOnly)
	require.Zero(t, resp.Resources[1].ErrorCode)
	require.Empty(t, resp.Resources[1].Configs)
}

func TestDescribeConfigsRefuses(t *testing.T) {
	b, _ := planned(t)
	for _, c := range []struct {
		resource kmsg.DescribeConfigsRequestResource
		want     *kerr.Error
	}{
		{resource(kmsg.ConfigResourceTypeTopic, "missing"), kerr.UnknownTopicOrPartition},
		{resource(kmsg.ConfigResourceTypeBroker, "8"), kerr.InvalidRequest},
		{resource(kmsg.ConfigResourceTypeBroker, "seven"), kerr.InvalidRequest},
		{resource(kmsg.ConfigResourceType(99), "7"), kerr.InvalidRequest},
	} {
		req := kmsg.NewPtrDescribeConfigsRequest()
		req.Version, req.Resources = 4, append(req.Resources, c.resource)
		r := describeAt(t, b, req).Resources[0]
		require.Equal(t, c.want.Code, r.ErrorCode, c.resource.ResourceName)
		require.NotEmpty(t, *r.ErrorMessage)
		require.Equal(t, c.resource.ResourceType, r.ResourceType)
		require.Equal(t, c.resource.ResourceName, r.ResourceName)
	}
}
