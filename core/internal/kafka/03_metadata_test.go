package kafka

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/config"
)

// A name that no topic can have is told apart from one that no topic has,
// whether or not topics are created for those who ask.
func TestMetadataOfNamesThatNoTopicCanHave(t *testing.T) {
	b := newTestBroker(t)
	client := b.dial(t)
	for _, version := range []int16{1, 4, 12, 13} {
		for name, want := range map[string]*kerr.Error{
			"a b": kerr.InvalidTopicException, "": kerr.InvalidTopicException, "..": kerr.InvalidTopicException,
			strings.Repeat("x", 250): kerr.InvalidTopicException, "missing": kerr.UnknownTopicOrPartition,
		} {
			for _, create := range []bool{false, true} {
				if name == "missing" && (create || version < 4) {
					continue // it is created
				}
				q := kmsg.NewPtrMetadataRequest()
				q.SetVersion(version)
				q.AllowAutoTopicCreation = create
				q.Topics = []kmsg.MetadataRequestTopic{{Topic: kmsg.StringPtr(name)}}
				got := client.ask(q).(*kmsg.MetadataResponse).Topics
				require.Len(t, got, 1)
				require.Equal(t, want.Code, got[0].ErrorCode, "version %d %q create %v", version, name, create)
				require.Equal(t, name, *got[0].Topic)
			}
		}
	}
	require.Zero(t, b.backend.Controller.Image().TopicCount())
}

// From version 12 topics may be asked for by id. One id makes the whole request
// one of ids; before, and without names, it is no request that can be answered.
func TestMetadataByID(t *testing.T) {
	b, p := planned(t)
	p.create(t, "a", "b")
	a, _ := p.Image().Topic("a")
	ask := func(version int16, topics ...kmsg.MetadataRequestTopic) *kmsg.MetadataResponse {
		q := kmsg.NewPtrMetadataRequest()
		q.SetVersion(version)
		q.Topics = topics
		return overTheWire(t, version, topicMetadata(t.Context(), b, plaintext(), q), kmsg.NewPtrMetadataResponse())
	}
	byID, missing := kmsg.MetadataRequestTopic{TopicID: a.ID, Topic: kmsg.StringPtr("b")}, kmsg.MetadataRequestTopic{TopicID: [16]byte{9}}
	byName, nothing := kmsg.MetadataRequestTopic{Topic: kmsg.StringPtr("b")}, kmsg.MetadataRequestTopic{}
	for version := int16(12); version <= 13; version++ {
		got := ask(version, byID, byName, byID, missing, nothing)
		require.Len(t, got.Topics, 2)
		require.Equal(t, "a", *got.Topics[0].Topic, "the id goes before the name")
		require.Nil(t, got.Topics[1].Topic)
		require.Equal(t, kerr.UnknownTopicID.Code, got.Topics[1].ErrorCode)
		require.NotEmpty(t, got.Brokers)
		require.Len(t, ask(version, byName, byName).Topics, 1)
	}
	for version := int16(10); version <= 13; version++ {
		bad := []kmsg.MetadataRequestTopic{byName, nothing}
		if version < 12 {
			bad = []kmsg.MetadataRequestTopic{byName, byID}
		}
		got := ask(version, bad...)
		require.Len(t, got.Topics, 2)
		for _, topic := range got.Topics {
			require.Equal(t, kerr.InvalidRequest.Code, topic.ErrorCode)
			require.NotNil(t, topic.Topic)
		}
		require.Empty(t, got.Brokers)
		require.EqualValues(t, -1, got.ControllerID)
	}
}

// A topic is created for who asks for it if both the client and the broker
// allow that, with the partitions that the broker gives to new ones.
func TestMetadataCreatesTopics(t *testing.T) {
	for _, enabled := range []bool{false, true} {
		b := newTestBroker(t, func(c *config.Broker, _ *testBroker) { c.AutoCreateTopics, c.NumPartitions = enabled, 4 })
		client := b.dial(t)
		ask := func(version int16, name string, allowed bool) kmsg.MetadataResponseTopic {
			q := kmsg.NewPtrMetadataRequest()
			q.SetVersion(version)
			q.AllowAutoTopicCreation = allowed
			q.Topics = []kmsg.MetadataRequestTopic{{Topic: kmsg.StringPtr(name)}}
			return client.ask(q).(*kmsg.MetadataResponse).Topics[0]
		}
		require.Equal(t, kerr.UnknownTopicOrPartition.Code, ask(12, "forbidden", false).ErrorCode)
		for version := int16(0); version <= 13; version++ {
			got := ask(version, fmt.Sprint("of-version-", version), true)
			if !enabled {
				require.Equal(t, kerr.UnknownTopicOrPartition.Code, got.ErrorCode, "version %d", version)
				continue
			}
			require.Zero(t, got.ErrorCode, "version %d", version)
			require.Len(t, got.Partitions, 4)
		}
	}
}
