package kafka

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/config"
)

func TestCreateTopicsAtEveryVersion(t *testing.T) {
	for version := int16(2); version <= 7; version++ {
		b, p := planned(t)
		req := kmsg.NewPtrCreateTopicsRequest()
		req.Version, req.TimeoutMillis = version, 60_000
		for _, name := range []string{"plain", "twice", "twice", "bad/name"} {
			topic := kmsg.NewCreateTopicsRequestTopic()
			topic.Topic, topic.NumPartitions, topic.ReplicationFactor = name, -1, -1
			topic.Configs = []kmsg.CreateTopicsRequestTopicConfig{{Name: "retention.ms", Value: kmsg.StringPtr("5")}}
			req.Topics = append(req.Topics, topic)
		}
		began := time.Now()
		resp := overTheWire(t, version, createTopics(t.Context(), b, plaintext(), req), kmsg.NewPtrCreateTopicsResponse())
		requireGiven(t, p, time.Minute, began)
		require.Len(t, resp.Topics, 3, "a name that comes twice is answered once")
		codes := map[string]int16{}
		for _, r := range resp.Topics {
			codes[r.Topic] = r.ErrorCode
			require.Equal(t, r.ErrorCode != 0, r.ErrorMessage != nil)
		}
		require.Equal(t, map[string]int16{"plain": 0, "twice": kerr.InvalidRequest.Code, "bad/name": kerr.InvalidTopicException.Code}, codes)
		requireCreated(t, version, resp.Topics[1], p)
	}
}

// requireGiven: the last change, which began after that and is over, was given so
// much time.
func requireGiven(t *testing.T, p *planner, want time.Duration, began time.Time) {
	t.Helper()
	require.WithinRange(t, p.Deadline(), began.Add(want), time.Now().Add(want))
}

func requireCreated(t *testing.T, version int16, r kmsg.CreateTopicsResponseTopic, p *planner) {
	t.Helper()
	require.Equal(t, "plain", r.Topic)
	topic, found := p.Image().Topic("plain")
	require.True(t, found)
	require.Len(t, topic.Partitions, 3)
	if version >= 7 {
		require.Equal(t, [16]byte(topic.ID), r.TopicID)
	}
	if version < 5 {
		return
	}
	require.EqualValues(t, 3, r.NumPartitions)
	require.EqualValues(t, 1, r.ReplicationFactor)
	values := map[string]kmsg.CreateTopicsResponseTopicConfig{}
	for _, c := range r.Configs {
		values[c.Name] = c
	}
	require.Equal(t, "5", *values["retention.ms"].Value)
	require.EqualValues(t, config.SourceTopic, values["retention.ms"].Source)
	require.Equal(t, "delete", *values["cleanup.policy"].Value)
	require.EqualValues(t, config.SourceDefault, values["cleanup.policy"].Source)
}

func TestCreateTopicsValidatesOnly(t *testing.T) {
	b, p := planned(t)
	req := kmsg.NewPtrCreateTopicsRequest()
	req.Version, req.ValidateOnly, req.TimeoutMillis = 7, true, 0
	topic := kmsg.NewCreateTopicsRequestTopic()
	topic.Topic = "dry"
	topic.ReplicaAssignment = []kmsg.CreateTopicsRequestTopicReplicaAssignment{{Partition: 0, Replicas: []int32{7}}}
	topic.NumPartitions, topic.ReplicationFactor = -1, -1
	wrong := topic
	wrong.Topic, wrong.Configs = "null", []kmsg.CreateTopicsRequestTopicConfig{{Name: "retention.ms"}}
	req.Topics = []kmsg.CreateTopicsRequestTopic{topic, wrong}
	began := time.Now()
	resp := createTopics(t.Context(), b, plaintext(), req)
	requireGiven(t, p, shortestTimeout, began) // though the client allows none
	require.Zero(t, resp.Topics[0].ErrorCode)
	require.EqualValues(t, 1, resp.Topics[0].NumPartitions)
	require.Zero(t, resp.Topics[0].TopicID)
	require.Equal(t, kerr.InvalidConfig.Code, resp.Topics[1].ErrorCode)
	_, found := p.Image().Topic("dry")
	require.False(t, found)
}

// Of several faults in one topic the first of these is named.
func TestCreateTopicsNamesFaultsInKafkasOrder(t *testing.T) {
	b, p := planned(t)
	p.create(t, "taken")
	null, wrong := kmsg.CreateTopicsRequestTopicConfig{Name: "retention.ms"}, kmsg.CreateTopicsRequestTopicConfig{Name: "retention.ms", Value: kmsg.StringPtr("soon")}
	for _, c := range []struct {
		name       string
		factor     int16
		partitions int32
		configs    []kmsg.CreateTopicsRequestTopicConfig
		want       *kerr.Error
	}{
		{"..", 0, 0, []kmsg.CreateTopicsRequestTopicConfig{null, wrong}, kerr.InvalidTopicException},
		{"taken", 0, 0, []kmsg.CreateTopicsRequestTopicConfig{null, wrong}, kerr.TopicAlreadyExists},
		{"free", 0, 0, []kmsg.CreateTopicsRequestTopicConfig{null}, kerr.InvalidConfig},
		{"free", 0, 0, []kmsg.CreateTopicsRequestTopicConfig{wrong}, kerr.InvalidConfig},
		{"free", 0, 0, nil, kerr.InvalidReplicationFactor},
		{"free", 1, 0, nil, kerr.InvalidPartitions},
	} {
		req := kmsg.NewPtrCreateTopicsRequest()
		req.Version, req.TimeoutMillis = 7, 1000
		req.Topics = []kmsg.CreateTopicsRequestTopic{{Topic: c.name, ReplicationFactor: c.factor, NumPartitions: c.partitions, Configs: c.configs}}
		require.Equal(t, c.want.Code, createTopics(t.Context(), b, plaintext(), req).Topics[0].ErrorCode, "%s, %v", c.name, c.want)
	}
}

func TestCreateTopicsAnswersConfigsAsTheyWereWritten(t *testing.T) {
	b, _ := planned(t)
	req := kmsg.NewPtrCreateTopicsRequest()
	req.Version, req.TimeoutMillis = 7, 1000
	req.Topics = []kmsg.CreateTopicsRequestTopic{{Topic: "a", NumPartitions: -1, ReplicationFactor: -1, Configs: []kmsg.CreateTopicsRequestTopicConfig{
		{Name: "preallocate", Value: kmsg.StringPtr(" TRUE ")},
	}}}
	for _, c := range createTopics(t.Context(), b, plaintext(), req).Topics[0].Configs {
		if c.Name == "preallocate" {
			require.Equal(t, " TRUE ", *c.Value)
		}
	}
	q := kmsg.NewPtrDescribeConfigsRequest()
	q.Resources = []kmsg.DescribeConfigsRequestResource{{ResourceType: kmsg.ConfigResourceTypeTopic, ResourceName: "a", ConfigNames: []string{"preallocate"}}}
	require.Equal(t, "true", *describeConfigs(t.Context(), b, plaintext(), q).Resources[0].Configs[0].Value)
}
