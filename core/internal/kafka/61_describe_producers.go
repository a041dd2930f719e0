package kafka

import (
	"context"

	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/metadata"
	"odradek.dev/core/internal/partition"
	"odradek.dev/core/internal/refusal"
)

// describeProducersAPI is DescribeProducers (KIP-664): the idempotent producers
// that a partition knows, until they expire. Nothing is transactional yet, so
// that no producer has a transaction open or a coordinator's epoch.
func describeProducersAPI() *api {
	return decoded(api{key: 61, name: "DescribeProducers", min: 0, max: 0, flexibleFrom: 0}, describeProducers,
		`topics:[name:string partitions:[int32]]`)
}

func describeProducers(_ context.Context, b *Backend, _ *Caller, q *kmsg.DescribeProducersRequest) *kmsg.DescribeProducersResponse {
	response := kmsg.NewPtrDescribeProducersResponse()
	for _, t := range q.Topics {
		topic := kmsg.NewDescribeProducersResponseTopic()
		topic.Topic = t.Topic
		for _, number := range t.Partitions {
			answer := kmsg.NewDescribeProducersResponseTopicPartition()
			answer.Partition = number
			p, refused := b.ledPartition(t.Topic, number)
			answer.ErrorCode, answer.ErrorMessage = refused.Outcome()
			if refused == nil {
				answer.ActiveProducers = activeProducers(p)
			}
			topic.Partitions = append(topic.Partitions, answer)
		}
		response.Topics = append(response.Topics, topic)
	}
	return response
}

// ledPartition finds a partition that this broker leads, or says why not.
func (b *Backend) ledPartition(topic string, number int32) (*partition.Partition, *refusal.Refusal) {
	if refused := metadata.CheckTopicName(topic); refused != nil {
		return nil, refused
	}
	p, refused := b.readable(topic, number, partition.AnyEpoch)
	if refused != nil {
		return nil, refusal.New(refused.Kind, "partition %d of topic %q: %s", number, topic, refused.Message)
	}
	return p, nil
}

func activeProducers(p *partition.Partition) []kmsg.DescribeProducersResponseTopicPartitionActiveProducer {
	var all []kmsg.DescribeProducersResponseTopicPartitionActiveProducer
	for _, known := range p.ActiveProducers() {
		a := kmsg.NewDescribeProducersResponseTopicPartitionActiveProducer()
		a.ProducerID, a.ProducerEpoch = known.ID, int32(known.Epoch)
		a.LastSequence, a.LastTimestamp = known.LastSequence, known.LastTimestampMs
		a.CoordinatorEpoch = -1
		all = append(all, a)
	}
	return all
}
