package kafka

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
)

func TestDeleteTopicsByNameAtEveryVersion(t *testing.T) {
	for version := int16(1); version <= 6; version++ {
		b, p := planned(t)
		p.create(t, "a", "b", "c")
		req := kmsg.NewPtrDeleteTopicsRequest()
		req.Version = version
		for _, name := range []string{"a", "missing", "b", "b"} {
			req.TopicNames = append(req.TopicNames, name)
			req.Topics = append(req.Topics, kmsg.DeleteTopicsRequestTopic{Topic: kmsg.StringPtr(name)})
		}
		if version < 6 {
			req.Topics = nil
		} else {
			req.TopicNames = nil
		}
		resp := overTheWire(t, version, deleteTopics(t.Context(), b, plaintext(), req), kmsg.NewPtrDeleteTopicsResponse())
		codes := map[string]int16{}
		for _, r := range resp.Topics {
			codes[*r.Topic] = r.ErrorCode
		}
		require.Len(t, resp.Topics, 3)
		require.Equal(t, map[string]int16{"a": 0, "missing": kerr.UnknownTopicOrPartition.Code, "b": kerr.InvalidRequest.Code}, codes)
		require.Equal(t, 2, p.Image().TopicCount())
	}
}

func TestDeleteTopicsByID(t *testing.T) {
	b, p := planned(t)
	p.create(t, "a", "b")
	a, _ := p.Image().Topic("a")
	both, _ := p.Image().Topic("b")
	missing := [16]byte{9}
	req := kmsg.NewPtrDeleteTopicsRequest()
	req.Version = 6
	req.Topics = []kmsg.DeleteTopicsRequestTopic{
		{TopicID: a.ID}, {TopicID: missing}, {Topic: kmsg.StringPtr("b"), TopicID: both.ID}, {}, {TopicID: [16]byte{8}}, {TopicID: [16]byte{8}},
	}
	resp := overTheWire(t, 6, deleteTopics(t.Context(), b, plaintext(), req), kmsg.NewPtrDeleteTopicsResponse())
	byID := map[[16]byte]kmsg.DeleteTopicsResponseTopic{}
	for _, r := range resp.Topics {
		byID[r.TopicID] = r
	}
	require.Len(t, resp.Topics, 5)
	require.Zero(t, byID[a.ID].ErrorCode)
	require.Equal(t, "a", *byID[a.ID].Topic)
	require.Equal(t, kerr.UnknownTopicID.Code, byID[missing].ErrorCode)
	require.Nil(t, byID[missing].Topic)
	require.Equal(t, kerr.InvalidRequest.Code, byID[both.ID].ErrorCode)
	require.Equal(t, kerr.InvalidRequest.Code, byID[[16]byte{}].ErrorCode)
	require.Equal(t, kerr.InvalidRequest.Code, byID[[16]byte{8}].ErrorCode)
	require.Equal(t, 1, p.Image().TopicCount())
}

func TestDeleteTopicsMayBeForbidden(t *testing.T) {
	for version, want := range map[int16]*kerr.Error{1: kerr.InvalidRequest, 2: kerr.InvalidRequest, 3: kerr.TopicDeletionDisabled, 5: kerr.TopicDeletionDisabled} {
		b, p := planned(t)
		p.create(t, "a")
		b.Config.DeleteTopics = false
		req := kmsg.NewPtrDeleteTopicsRequest()
		req.Version, req.TopicNames = version, []string{"a"}
		resp := deleteTopics(t.Context(), b, plaintext(), req)
		require.Equal(t, want.Code, resp.Topics[0].ErrorCode)
		require.Equal(t, 1, p.Image().TopicCount())
	}
}

func TestDeleteTopicsWithoutANameOrWithTwo(t *testing.T) {
	b, p := planned(t)
	p.create(t, "a")
	a, _ := p.Image().Topic("a")
	ask := func(topics ...kmsg.DeleteTopicsRequestTopic) []kmsg.DeleteTopicsResponseTopic {
		req := kmsg.NewPtrDeleteTopicsRequest()
		req.Version, req.Topics = 6, topics
		return overTheWire(t, 6, deleteTopics(t.Context(), b, plaintext(), req), kmsg.NewPtrDeleteTopicsResponse()).Topics
	}
	empty := ask(kmsg.DeleteTopicsRequestTopic{Topic: kmsg.StringPtr("")})
	require.Len(t, empty, 1)
	require.Equal(t, kerr.UnknownTopicOrPartition.Code, empty[0].ErrorCode)
	require.Empty(t, *empty[0].Topic)

	require.Len(t, ask(kmsg.DeleteTopicsRequestTopic{}, kmsg.DeleteTopicsRequestTopic{}), 2, "each that names nothing")

	twice := ask(kmsg.DeleteTopicsRequestTopic{TopicID: a.ID}, kmsg.DeleteTopicsRequestTopic{Topic: kmsg.StringPtr("a")})
	require.Len(t, twice, 1)
	require.Equal(t, kerr.InvalidRequest.Code, twice[0].ErrorCode)
	require.Equal(t, "a", *twice[0].Topic)
	require.Equal(t, 1, p.Image().TopicCount())
}
