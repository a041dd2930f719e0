package kafka

import (
	"testing"

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
		resp := overTheWire(t, version, createTopics(t.Context(), b, plaintext(), req), kmsg.NewPtrCreateTopicsResponse())
		require.Len(t, resp.Topics, 3, "a name that comes twice is answered once")
		codes := map[string]int16{}
		for _, r := range resp.Topics {
			codes[r.Topic] = r.ErrorCode
			require.Equal(t, r.ErrorCode != 0, r.ErrorMessage != nil)
		}
		require.Equal(t, map[string]int16{"plain": 0, "twice": kerr.InvalidRequest.Code, "bad/name": kerr.InvalidTopicException.Code}, codes)
		requireCreated(t, version, resp.Topics[1], p)
		require.InDelta(t, 60, p.left.Seconds(), 5)
	}
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
	resp := createTopics(t.Context(), b, plaintext(), req)
	require.Equal(t, kerr.InvalidConfig.Code, resp.Topics[0].ErrorCode)
	require.Zero(t, resp.Topics[1].ErrorCode)
	require.EqualValues(t, 1, resp.Topics[1].NumPartitions)
	require.Zero(t, resp.Topics[1].TopicID)
	_, found := p.Image().Topic("dry")
	require.False(t, found)
	require.InDelta(t, 1, p.left.Seconds(), 0.5, "a client that allows no time is given a little")
}
