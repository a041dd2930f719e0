package offsets

import (
	"math"
	"unicode/utf8"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/grouplog"
)

// Limits of a commit.
type Limits struct {
	// MetadataMaxSize is offset.metadata.max.bytes, in UTF-16 units, as Kafka
	// counts.
	MetadataMaxSize int32
}

// longestMetadata is the most bytes that a record has room for, whatever the
// configuration allows: the length has 16 bits there.
const longestMetadata = math.MaxInt16

// Commit turns a request into the records that do it, and its response. Topics
// have names and, if they exist, ids; whoever asked has looked both up.
func Commit(now int64, q *kmsg.OffsetCommitRequest, limits Limits) ([]grouplog.Record, *kmsg.OffsetCommitResponse) {
	expires := int64(-1)
	if q.RetentionTimeMillis >= 0 {
		expires = now + q.RetentionTimeMillis
	}
	most := partitionsOf(q)
	records, values := make([]grouplog.Record, 0, most), make([]grouplog.Offset, most)
	response := kmsg.NewPtrOffsetCommitResponse()
	response.Topics = make([]kmsg.OffsetCommitResponseTopic, 0, len(q.Topics))
	for _, t := range q.Topics {
		topic := kmsg.NewOffsetCommitResponseTopic()
		topic.Topic, topic.TopicID = t.Topic, t.TopicID
		topic.Partitions = make([]kmsg.OffsetCommitResponseTopicPartition, 0, len(t.Partitions))
		for _, p := range t.Partitions {
			answer := kmsg.NewOffsetCommitResponseTopicPartition()
			answer.Partition = p.Partition
			if p.Metadata != nil && (len(*p.Metadata) > longestMetadata || longer(*p.Metadata, int(limits.MetadataMaxSize))) {
				answer.ErrorCode = kerr.OffsetMetadataTooLarge.Code
			} else {
				v := &values[len(records)]
				*v = committed(&t, &p, now, expires)
				records = append(records, grouplog.Record{
					Key: grouplog.OffsetKey{Group: q.Group, Topic: t.Topic, Partition: p.Partition}, Value: v,
				})
			}
			topic.Partitions = append(topic.Partitions, answer)
		}
		response.Topics = append(response.Topics, topic)
	}
	return records, response
}

func partitionsOf(q *kmsg.OffsetCommitRequest) (n int) {
	for _, t := range q.Topics {
		n += len(t.Partitions)
	}
	return n
}

func committed(t *kmsg.OffsetCommitRequestTopic, p *kmsg.OffsetCommitRequestTopicPartition, now, expires int64) grouplog.Offset {
	v := grouplog.Offset{OffsetCommitValue: kmsg.NewOffsetCommitValue()}
	v.Offset, v.LeaderEpoch = p.Offset, p.LeaderEpoch
	if p.Metadata != nil {
		v.Metadata = *p.Metadata
	}
	v.CommitTimestamp, v.ExpireTimestamp, v.TopicID = now, expires, t.TopicID
	if expires >= 0 {
		// The record has a time to expire, or these, see grouplog.Offset; what
		// the log does not keep is not remembered.
		v.LeaderEpoch, v.TopicID = -1, [16]byte{}
	}
	return v
}

// longer says whether a text has more than limit UTF-16 units.
func longer(s string, limit int) bool {
	if len(s) <= limit {
		return false
	}
	units := 0
	for _, r := range s {
		if units++; r > 0xFFFF && r != utf8.RuneError {
			units++
		}
	}
	return units > limit
}
