package kgoadapter

import (
	"maps"
	"slices"

	"github.com/twmb/franz-go/pkg/kbin"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/sdk/assignor"
)

// The user data of Kafka's StickyAssignor is what the member had: an array of
// topic and array of partitions, and since KIP-341 the generation.

func appendStickyData(owned map[string][]int32, generation int32) []byte {
	data := kbin.AppendArrayLen(nil, len(owned))
	for _, topic := range slices.Sorted(maps.Keys(owned)) {
		data = kbin.AppendString(data, topic)
		data = kbin.AppendArrayLen(data, len(owned[topic]))
		for _, partition := range owned[topic] {
			data = kbin.AppendInt32(data, partition)
		}
	}
	return kbin.AppendInt32(data, generation)
}

// parseStickyData returns nothing for bytes that are something else: as in
// Kafka, a member that cannot be understood had nothing.
func parseStickyData(data []byte) (owned []assignor.TopicPartitions, generation int32) {
	generation = -1
	if len(data) == 0 {
		return nil, generation
	}
	reader := kbin.Reader{Src: data}
	var claims []kmsg.ConsumerMemberMetadataOwnedPartition
	for left := reader.ArrayLen(); left > 0 && reader.Ok(); left-- {
		claim := kmsg.NewConsumerMemberMetadataOwnedPartition()
		claim.Topic = reader.String()
		for left := reader.ArrayLen(); left > 0 && reader.Ok(); left-- {
			claim.Partitions = append(claim.Partitions, reader.Int32())
		}
		claims = append(claims, claim)
	}
	if len(reader.Src) > 0 {
		generation = reader.Int32()
	}
	if reader.Complete() != nil {
		return nil, -1
	}
	return takeOwned(claims), generation
}
