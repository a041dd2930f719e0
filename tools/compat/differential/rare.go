package differential

import (
	"math"

	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/sdk/record/recordtest"
)

// rare are requests that a seed seldom comes to, each for something in which
// the answers are known to differ: so it is always seen whether they still do.
func rare() []step {
	synonyms := versioned(32, 4).(*kmsg.DescribeConfigsRequest)
	synonyms.IncludeSynonyms = true
	synonyms.Resources = []kmsg.DescribeConfigsRequestResource{
		{ResourceType: kmsg.ConfigResourceTypeBroker, ResourceName: "1", ConfigNames: []string{"log.dirs"}},
	}

	validated := versioned(19, 7).(*kmsg.CreateTopicsRequest)
	validated.TimeoutMillis, validated.ValidateOnly = 30_000, true
	topic := kmsg.NewCreateTopicsRequestTopic()
	topic.Topic, topic.NumPartitions, topic.ReplicationFactor = "v0", 1, 1
	validated.Topics = append(validated.Topics, topic)

	beyond := versioned(75, 0).(*kmsg.DescribeTopicPartitionsRequest)
	beyond.ResponsePartitionLimit = math.MaxInt32
	beyond.Cursor = &kmsg.DescribeTopicPartitionsRequestCursor{Topic: "plain", Partition: math.MaxInt32}

	unnamed := versioned(75, 0).(*kmsg.DescribeTopicPartitionsRequest)
	unnamed.ResponsePartitionLimit = 1
	unnamed.Topics = []kmsg.DescribeTopicPartitionsRequestTopic{{Topic: ""}, {Topic: "plain"}}

	granted := versioned(57, 1).(*kmsg.UpdateFeaturesRequest)
	update := kmsg.NewUpdateFeaturesRequestFeatureUpdate()
	update.Feature, update.MaxVersionLevel, update.UpgradeType = "group.version", 1, 1
	granted.TimeoutMillis, granted.FeatureUpdates = 30_000, append(granted.FeatureUpdates, update)

	nothing := versioned(3, 13).(*kmsg.MetadataRequest)
	nothing.Topics = append(nothing.Topics, kmsg.NewMetadataRequestTopic())

	created := versioned(3, 12).(*kmsg.MetadataRequest)
	created.AllowAutoTopicCreation = true
	created.Topics = []kmsg.MetadataRequestTopic{{Topic: kmsg.StringPtr("v1")}}

	steps := stampedRecord()
	for _, q := range []kmsg.Request{synonyms, validated, beyond, unnamed, granted, nothing, created} {
		steps = append(steps, step{requests: []request{{Request: q}}})
	}
	return steps
}

// stampedRecord appends to a topic whose records have the time of the append,
// and asks for the latest.
func stampedRecord() (steps []step) {
	produce := versioned(0, 9).(*kmsg.ProduceRequest)
	produce.Acks, produce.TimeoutMillis = -1, 30_000
	written := kmsg.NewProduceRequestTopic()
	written.Topic = "stamped"
	written.Partitions = []kmsg.ProduceRequestTopicPartition{{Records: recordtest.Batch(recordtest.Spec{Records: recordtest.Values(1, "v")})}}
	produce.Topics = append(produce.Topics, written)

	latest := versioned(2, 7).(*kmsg.ListOffsetsRequest)
	latest.ReplicaID = -1
	asked := kmsg.NewListOffsetsRequestTopic()
	asked.Topic = written.Topic
	asked.Partitions = []kmsg.ListOffsetsRequestTopicPartition{{CurrentLeaderEpoch: -1, Timestamp: -3}}
	latest.Topics = append(latest.Topics, asked)
	for _, q := range []kmsg.Request{produce, latest} {
		steps = append(steps, step{requests: []request{{Request: q}}})
	}
	return steps
}
