package kafka

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/config"
	"odradek.dev/core/internal/metadata"
)

// A step of what clients may do to a topic of a special name.
type topicStep struct {
	name string
	ask  func(c *rawClient, topic string) int16
}

// topicStepsInOrder take a topic from before it is there to after it was deleted.
var topicStepsInOrder = []topicStep{
	{"ask for it", func(c *rawClient, topic string) int16 { return c.topicMetadata(topic, false).ErrorCode }},
	{"create it, to see whether it could be", func(c *rawClient, topic string) int16 { return c.createTopic(topic, true) }},
	{"create it", func(c *rawClient, topic string) int16 { return c.createTopic(topic, false) }},
	{"write to it", func(c *rawClient, topic string) int16 {
		answer := c.ask(produceOf(9, topic, metadata.TopicID{}, -1, batchOf("a"))).(*kmsg.ProduceResponse)
		return answer.Topics[0].Partitions[0].ErrorCode
	}},
	{"delete its records", func(c *rawClient, topic string) int16 {
		q := kmsg.NewPtrDeleteRecordsRequest()
		q.SetVersion(2)
		q.TimeoutMillis = 1000
		q.Topics = []kmsg.DeleteRecordsRequestTopic{{Topic: topic, Partitions: []kmsg.DeleteRecordsRequestTopicPartition{{}}}}
		return c.ask(q).(*kmsg.DeleteRecordsResponse).Topics[0].Partitions[0].ErrorCode
	}},
	{"look for its end", func(c *rawClient, topic string) int16 { return c.listOffset(7, topic, -1, latestTimestamp).ErrorCode }},
	{"add partitions", func(c *rawClient, topic string) int16 {
		q := kmsg.NewPtrCreatePartitionsRequest()
		q.SetVersion(3)
		q.TimeoutMillis = 1000
		q.Topics = []kmsg.CreatePartitionsRequestTopic{{Topic: topic, Count: 4}}
		return c.ask(q).(*kmsg.CreatePartitionsResponse).Topics[0].ErrorCode
	}},
	{"configure it", func(c *rawClient, topic string) int16 {
		q := kmsg.NewPtrIncrementalAlterConfigsRequest()
		q.SetVersion(1)
		q.Resources = []kmsg.IncrementalAlterConfigsRequestResource{{
			ResourceType: kmsg.ConfigResourceTypeTopic, ResourceName: topic,
			Configs: []kmsg.IncrementalAlterConfigsRequestResourceConfig{{Name: "cleanup.policy", Value: kmsg.StringPtr("delete")}},
		}}
		return c.ask(q).(*kmsg.IncrementalAlterConfigsResponse).Resources[0].ErrorCode
	}},
	{"delete it", func(c *rawClient, topic string) int16 {
		q := kmsg.NewPtrDeleteTopicsRequest()
		q.SetVersion(6)
		q.TimeoutMillis = 1000
		q.Topics = []kmsg.DeleteTopicsRequestTopic{{Topic: &topic}}
		return c.ask(q).(*kmsg.DeleteTopicsResponse).Topics[0].ErrorCode
	}},
}

// As Kafka 4.4.0 answers: the metadata log is no topic and cannot become one;
// the internal topics are like others, but that no client changes their records
// and, unlike there, that of groups keeps the partitions that groups are found by.
func TestWhatClientsMayDoToInternalTopics(t *testing.T) {
	unknown, invalid := kerr.UnknownTopicOrPartition.Code, kerr.InvalidTopicException.Code
	none := []int16{unknown, kerr.InvalidRequest.Code, kerr.InvalidRequest.Code, unknown, unknown, unknown, unknown, unknown, unknown}
	kept := []int16{unknown, 0, 0, invalid, invalid, 0, 0, 0, 0}
	groups := []int16{unknown, 0, 0, invalid, invalid, 0, kerr.InvalidPartitions.Code, 0, 0}
	users := []int16{unknown, 0, 0, 0, 0, 0, 0, 0, 0}
	b := newTestBroker(t)
	client := b.dial(t)
	for topic, want := range map[string][]int16{
		"__cluster_metadata": none, "__consumer_offsets": groups, "__transaction_state": kept, "__share_group_state": kept, "__mine": users,
	} {
		for n, step := range topicStepsInOrder {
			require.Equal(t, want[n], step.ask(client, topic), "%s: %s", topic, step.name)
		}
	}
}

// The topic of groups comes as it has to be, by whatever way; others of the
// broker's own come when there is something to keep in them.
func TestInternalTopicsAreNotCreatedOnTheWay(t *testing.T) {
	b := newTestBroker(t, func(c *config.Broker, _ *testBroker) { c.NumPartitions, c.OffsetsTopic.Partitions = 2, 5 })
	client := b.dial(t)
	for _, topic := range []string{"__cluster_metadata", "__transaction_state", "__share_group_state"} {
		got := client.topicMetadata(topic, true)
		require.Equal(t, kerr.UnknownTopicOrPartition.Code, got.ErrorCode, topic)
		require.Equal(t, topic != metadata.LogTopic, got.IsInternal, topic)
		require.Equal(t, got.IsInternal, client.describedTopic(topic).IsInternal, topic)
		_, found := b.backend.Controller.Image().Topic(topic)
		require.False(t, found, topic)
	}
	got := client.topicMetadata(metadata.GroupsTopic, true)
	require.Zero(t, got.ErrorCode)
	require.True(t, got.IsInternal)
	require.Len(t, got.Partitions, 5)
	made, _ := b.backend.Controller.Image().Topic(metadata.GroupsTopic)
	require.Equal(t, b.backend.Config.OffsetsTopic.Configs(), made.Configs)
	require.Equal(t, got.Partitions, client.topicMetadata(metadata.GroupsTopic, true).Partitions)
	require.Len(t, client.topicMetadata("plain", true).Partitions, 2)
}

func (c *rawClient) topicMetadata(topic string, create bool) kmsg.MetadataResponseTopic {
	q := kmsg.NewPtrMetadataRequest()
	q.SetVersion(12)
	q.AllowAutoTopicCreation = create
	q.Topics = []kmsg.MetadataRequestTopic{{Topic: &topic}}
	return c.ask(q).(*kmsg.MetadataResponse).Topics[0]
}

func (c *rawClient) describedTopic(topic string) kmsg.DescribeTopicPartitionsResponseTopic {
	q := kmsg.NewPtrDescribeTopicPartitionsRequest()
	q.ResponsePartitionLimit = 1
	q.Topics = []kmsg.DescribeTopicPartitionsRequestTopic{{Topic: topic}}
	return c.ask(q).(*kmsg.DescribeTopicPartitionsResponse).Topics[0]
}

func (c *rawClient) createTopic(topic string, validateOnly bool) int16 {
	q := kmsg.NewPtrCreateTopicsRequest()
	q.SetVersion(7)
	q.TimeoutMillis, q.ValidateOnly = 1000, validateOnly
	q.Topics = []kmsg.CreateTopicsRequestTopic{kmsg.NewCreateTopicsRequestTopic()}
	q.Topics[0].Topic, q.Topics[0].NumPartitions, q.Topics[0].ReplicationFactor = topic, 3, 1
	return c.ask(q).(*kmsg.CreateTopicsResponse).Topics[0].ErrorCode
}
