package kafka

import (
	"context"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// offsetForLeaderEpochAPI is OffsetForLeaderEpoch: where a leader epoch ended,
// by which a client finds out whether the log lost what it has read (KIP-279,
// KIP-320). Version 3 has the id of a replica that asks, version 4 is flexible.
// The answer is the same for whoever asks.
func offsetForLeaderEpochAPI() *api {
	return decoded(api{key: 23, name: "OffsetForLeaderEpoch", min: 2, max: 4, flexibleFrom: 4}, offsetForLeaderEpoch,
		`replica:int32@3+ topics:[name:string
		partitions:[index:int32 current_epoch:int32 epoch:int32]]`)
}

func offsetForLeaderEpoch(_ context.Context, b *Backend, _ *Caller, q *kmsg.OffsetForLeaderEpochRequest) *kmsg.OffsetForLeaderEpochResponse {
	response := kmsg.NewPtrOffsetForLeaderEpochResponse()
	for _, t := range q.Topics {
		topic := kmsg.NewOffsetForLeaderEpochResponseTopic()
		topic.Topic = t.Topic
		for i := range t.Partitions {
			answer := kmsg.NewOffsetForLeaderEpochResponseTopicPartition()
			answer.Partition = t.Partitions[i].Partition
			answer.ErrorCode = b.epochEnd(t.Topic, &t.Partitions[i], &answer)
			topic.Partitions = append(topic.Partitions, answer)
		}
		response.Topics = append(response.Topics, topic)
	}
	return response
}

// epochEnd looks in one partition. Where it finds nothing the answer stays at
// -1, which is no error.
func (b *Backend) epochEnd(topic string, q *kmsg.OffsetForLeaderEpochRequestTopicPartition, answer *kmsg.OffsetForLeaderEpochResponseTopicPartition) int16 {
	p, refused := b.readable(topic, q.Partition, q.CurrentLeaderEpoch)
	if refused != nil {
		return refused.Code()
	}
	end, err := p.EpochEnd(q.LeaderEpoch)
	if ended := endedMeanwhile(p, err); ended != nil {
		return ended.Code()
	}
	if err != nil {
		b.failed("cannot read the leader epochs of a log", "topic", topic, "partition", q.Partition, "error", err)
		return kerr.KafkaStorageError.Code
	}
	answer.LeaderEpoch, answer.EndOffset = end.Epoch, end.Offset
	return 0
}
