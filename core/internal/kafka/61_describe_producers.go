package kafka

import (
	"context"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/metadata"
	"odradek.dev/core/internal/partition"
)

// describeProducers serves DescribeProducers, version 0 (KIP-664): the
// idempotent producers that a partition knows, until they expire. Nothing is
// transactional yet, so that no producer has a transaction open or a
// coordinator's epoch.
func describeProducers(_ context.Context, b *Backend, _ *Caller, q *kmsg.DescribeProducersRequest) *kmsg.DescribeProducersResponse {
	response := kmsg.NewPtrDescribeProducersResponse()
	for _, t := range q.Topics {
		topic := kmsg.NewDescribeProducersResponseTopic()
		topic.Topic = t.Topic
		for _, number := range t.Partitions {
			answer := kmsg.NewDescribeProducersResponseTopicPartition()
			answer.Partition = number
			p, failure := b.ledPartition(t.Topic, number)
			answer.ErrorCode, answer.ErrorMessage = outcome(failure)
			if failure == nil {
				answer.ActiveProducers = activeProducers(p)
			}
			topic.Partitions = append(topic.Partitions, answer)
		}
		response.Topics = append(response.Topics, topic)
	}
	return response
}

// ledPartition finds a partition that this broker leads, or says why not.
func (b *Backend) ledPartition(topic string, number int32) (*partition.Partition, *metadata.Failure) {
	if failure := metadata.CheckTopicName(topic); failure != nil {
		return nil, failure
	}
	t, ok := b.Partitions.TopicNamed(topic)
	if !ok {
		return nil, metadata.Failf(kerr.UnknownTopicOrPartition, "there is no topic %q", topic)
	}
	p, exists := t.Partition(number)
	switch {
	case !exists:
		return nil, metadata.Failf(kerr.UnknownTopicOrPartition, "topic %q has no partition %d", topic, number)
	case p == nil:
		return nil, metadata.Failf(kerr.NotLeaderForPartition, "this broker has no replica of partition %d of topic %q", number, topic)
	}
	if refusal := p.MayRead(partition.AnyEpoch); refusal != nil {
		return nil, metadata.Failf(refusal.Kind, "%s", refusal.Message)
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
