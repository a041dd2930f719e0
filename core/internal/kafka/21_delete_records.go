package kafka

import (
	"context"

	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/metadata"
	"odradek.dev/core/internal/partition"
	"odradek.dev/core/internal/refusal"
)

// deleteRecordsAPI is DeleteRecords (KIP-107): partitions lose what is below an
// offset; -1 stands for the high watermark. The timeout is for replicas that lag
// behind: the leader's part is done when it is answered.
//
//	v2 flexible
func deleteRecordsAPI() *api {
	return decoded(api{key: 21, name: "DeleteRecords", min: 0, max: 2, flexibleFrom: 2}, deleteRecords,
		`topics:[name:string partitions:[index:int32 offset:int64]] timeout:int32`)
}

func deleteRecords(_ context.Context, b *Backend, _ *Caller, q *kmsg.DeleteRecordsRequest) *kmsg.DeleteRecordsResponse {
	response := kmsg.NewPtrDeleteRecordsResponse()
	for i := range q.Topics {
		t := &q.Topics[i]
		if len(t.Partitions) == 0 {
			continue
		}
		topic := kmsg.NewDeleteRecordsResponseTopic()
		topic.Topic = t.Topic
		for _, asked := range lastOfEach(t.Partitions) {
			answer := kmsg.NewDeleteRecordsResponseTopicPartition()
			answer.Partition = asked.Partition
			low, refused := b.deleteRecords(t.Topic, asked.Partition, asked.Offset)
			answer.LowWatermark, answer.ErrorCode = low, refused.Code()
			topic.Partitions = append(topic.Partitions, answer)
		}
		response.Topics = append(response.Topics, topic)
	}
	return response
}

func (b *Backend) deleteRecords(topic string, number int32, offset int64) (low int64, refused *refusal.Refusal) {
	p, refused := b.readable(topic, number, partition.AnyEpoch)
	switch {
	case refused != nil:
		return -1, refused
	case metadata.IsInternal(topic):
		return -1, keptForOthers
	}
	return p.DeleteRecords(offset)
}

// lastOfEach has each partition once: of several offsets the last one counts,
// as in Kafka.
func lastOfEach(asked []kmsg.DeleteRecordsRequestTopicPartition) []kmsg.DeleteRecordsRequestTopicPartition {
	at := make(map[int32]int, len(asked))
	each := asked[:0]
	for _, a := range asked {
		if i, known := at[a.Partition]; known {
			each[i] = a
			continue
		}
		at[a.Partition] = len(each)
		each = append(each, a)
	}
	return each
}
