package kafka

import (
	"context"
	"errors"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/partition"
	"odradek.dev/sdk/codec"
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/storage"
)

// listOffsetsAPI is ListOffsets.
//
//	v4  leader epoch of the reader
//	v6  flexible
//	v7  the largest timestamp (-3, KIP-734)
//	v8  earliest local (-4), v9 latest tiered (-5), v11 earliest not uploaded (-6)
//
// A lookup by time is exact: it opens the batch that the time falls in. Nothing
// is tiered, so that -4 is the start of the log and -5 and -6 find nothing.
func listOffsetsAPI() *api {
	return decoded(api{key: 2, name: "ListOffsets", min: 1, max: 11, flexibleFrom: 6}, listOffsets,
		`replica:int32 isolation:int8@2+
		topics:[name:string partitions:[index:int32 leader_epoch:int32@4+ timestamp:int64]]
		timeout:int32@10+`)
}

// The timestamps that stand for a place.
const (
	latestTimestamp        = -1
	earliestTimestamp      = -2
	maxTimestamp           = -3
	earliestLocalTimestamp = -4
	latestTieredTimestamp  = -5
	earliestPendingUpload  = -6
)

// specialSince is the version from which a timestamp below -2 has a meaning.
var specialSince = map[int64]int16{
	maxTimestamp: 7, earliestLocalTimestamp: 8, latestTieredTimestamp: 9, earliestPendingUpload: 11,
}

func listOffsets(_ context.Context, b *Backend, _ *Caller, q *kmsg.ListOffsetsRequest) *kmsg.ListOffsetsResponse {
	response := kmsg.NewPtrListOffsetsResponse()
	type asked struct {
		topic     string
		partition int32
	}
	times := make(map[asked]int)
	for _, t := range q.Topics {
		for _, p := range t.Partitions {
			times[asked{t.Topic, p.Partition}]++
		}
	}
	for _, t := range q.Topics {
		if len(t.Partitions) == 0 {
			continue
		}
		topic := kmsg.NewListOffsetsResponseTopic()
		topic.Topic = t.Topic
		for i := range t.Partitions {
			answer := kmsg.NewListOffsetsResponseTopicPartition()
			answer.Partition = t.Partitions[i].Partition
			answer.Timestamp, answer.Offset, answer.LeaderEpoch = -1, -1, -1
			if times[asked{t.Topic, answer.Partition}] > 1 {
				answer.ErrorCode = kerr.InvalidRequest.Code
			} else {
				answer.ErrorCode = b.listOffset(t.Topic, q.Version, &t.Partitions[i], &answer)
			}
			topic.Partitions = append(topic.Partitions, answer)
		}
		response.Topics = append(response.Topics, topic)
	}
	return response
}

// listOffset looks in one partition.
func (b *Backend) listOffset(topic string, version int16, q *kmsg.ListOffsetsRequestTopicPartition, answer *kmsg.ListOffsetsResponseTopicPartition) int16 {
	if since, special := specialSince[q.Timestamp]; q.Timestamp < earliestTimestamp && (!special || version < since) {
		return kerr.UnsupportedVersion.Code
	}
	epoch := partition.AnyEpoch
	if version >= 4 {
		epoch = q.CurrentLeaderEpoch
	}
	p, refused := b.readable(topic, q.Partition, epoch)
	if refused != nil {
		return refused.Code()
	}
	return b.listOffsetAt(p, version, q.Timestamp, answer)
}

// offsetNotAvailableSince is the first version whose clients know the code.
const offsetNotAvailableSince = 5

// lookupFailed tells a client of a damaged batch, and to come again if the codec
// that it takes to look is not there for the moment.
func lookupFailed(err error, version int16) int16 {
	switch {
	case errors.Is(err, storage.ErrCorrupt):
		return kerr.CorruptMessage.Code
	case !errors.Is(err, partition.ErrUnopened):
		return kerr.KafkaStorageError.Code
	case errors.Is(err, codec.ErrNone):
		return kerr.UnsupportedCompressionType.Code
	case module.ClassOf(err) != module.Retriable:
		return kerr.UnknownServerError.Code
	case version < offsetNotAvailableSince:
		return kerr.LeaderNotAvailable.Code
	}
	return kerr.OffsetNotAvailable.Code
}

// listOffsetAt looks for a timestamp that the version of the request has.
func (b *Backend) listOffsetAt(p *partition.Partition, version int16, timestamp int64, answer *kmsg.ListOffsetsResponseTopicPartition) int16 {
	var (
		found partition.Found
		ok    bool
		err   error
	)
	switch {
	case timestamp == latestTimestamp:
		answer.Offset, answer.LeaderEpoch = p.HighWatermark(), p.Role().Epoch
		return 0
	case timestamp == earliestTimestamp, timestamp == earliestLocalTimestamp:
		answer.Offset, answer.LeaderEpoch = p.LogStartOffset(), p.Role().Epoch
		return 0
	case timestamp == latestTieredTimestamp, timestamp == earliestPendingUpload:
		return 0
	case timestamp == maxTimestamp:
		found, ok, err = p.OffsetOfMax()
	default:
		found, ok, err = p.OffsetAt(timestamp)
	}
	if ended := endedMeanwhile(p, err); ended != nil {
		return ended.Code()
	}
	if err != nil {
		b.failed("lookup by time failed", "topic", p.ID().Topic, "partition", p.ID().Partition, "error", err)
		return lookupFailed(err, version)
	}
	if ok {
		answer.Offset, answer.Timestamp, answer.LeaderEpoch = found.Offset, found.TimestampMs, found.Epoch
	}
	return 0
}
