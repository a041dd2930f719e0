package kafka

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
)

func TestCreatePartitionsAtEveryVersion(t *testing.T) {
	for version := int16(0); version <= 3; version++ {
		b, p := planned(t)
		p.create(t, "a", "b")
		req := kmsg.NewPtrCreatePartitionsRequest()
		req.Version = version
		for name, count := range map[string]int32{"a": 4, "b": 1, "c": 9} {
			topic := kmsg.NewCreatePartitionsRequestTopic()
			topic.Topic, topic.Count = name, count
			req.Topics = append(req.Topics, topic)
		}
		repeated := kmsg.NewCreatePartitionsRequestTopic()
		repeated.Topic = "d"
		req.Topics = append(req.Topics, repeated, repeated)
		resp := overTheWire(t, version, createPartitions(t.Context(), b, plaintext(), req), kmsg.NewPtrCreatePartitionsResponse())
		codes := map[string]int16{}
		for _, r := range resp.Topics {
			codes[r.Topic] = r.ErrorCode
		}
		require.Equal(t, map[string]int16{
			"a": 0, "b": kerr.InvalidPartitions.Code, "c": kerr.UnknownTopicOrPartition.Code, "d": kerr.InvalidRequest.Code,
		}, codes)
		require.Len(t, resp.Topics, 4)
		topic, _ := p.Image().Topic("a")
		require.Len(t, topic.Partitions, 4)
	}
}
