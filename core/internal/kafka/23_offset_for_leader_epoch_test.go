package kafka

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
)

func TestOffsetForLeaderEpoch(t *testing.T) {
	b := newTestBroker(t)
	id := b.create(t, "orders", 2, nil)
	client := b.dial(t)
	q := produceOf(9, "orders", id, 1, batchOf("a", "b", "c"))
	require.Zero(t, producedOf(t, client.ask(q)).ErrorCode)
	epoch := b.partition(t, "orders", 0).Role().Epoch
	tests := map[string]struct {
		topic                     string
		partition, current, asked int32
		code                      int16
		epoch                     int32
		end                       int64
	}{
		"the epoch of now":           {"orders", 0, epoch, epoch, 0, epoch, 3},
		"without a current epoch":    {"orders", 0, -1, epoch, 0, epoch, 3},
		"an epoch to come":           {"orders", 0, -1, epoch + 7, 0, -1, -1},
		"no epoch":                   {"orders", 0, -1, -1, 0, -1, -1},
		"an empty partition":         {"orders", 1, -1, epoch, 0, epoch, 0},
		"a reader that is behind":    {"orders", 0, epoch - 1, epoch, kerr.FencedLeaderEpoch.Code, -1, -1},
		"a reader that is ahead":     {"orders", 0, epoch + 7, epoch, kerr.UnknownLeaderEpoch.Code, -1, -1},
		"a partition that is not":    {"orders", 9, -1, epoch, kerr.UnknownTopicOrPartition.Code, -1, -1},
		"a topic that is not":        {"missing", 0, -1, epoch, kerr.UnknownTopicOrPartition.Code, -1, -1},
		"a topic that can not be":    {"a b", 0, -1, epoch, kerr.UnknownTopicOrPartition.Code, -1, -1},
		"a partition of no number":   {"orders", -1, -1, epoch, kerr.UnknownTopicOrPartition.Code, -1, -1},
		"an older epoch than all is": {"orders", 0, -1, epoch - 1, 0, epoch - 1, 3},
	}
	if epoch == 0 {
		delete(tests, "a reader that is behind")
		delete(tests, "an older epoch than all is")
	}
	for name, test := range tests {
		for version := int16(2); version <= 4; version++ {
			q := kmsg.NewPtrOffsetForLeaderEpochRequest()
			q.SetVersion(version)
			p := kmsg.NewOffsetForLeaderEpochRequestTopicPartition()
			p.Partition, p.CurrentLeaderEpoch, p.LeaderEpoch = test.partition, test.current, test.asked
			q.Topics = []kmsg.OffsetForLeaderEpochRequestTopic{{Topic: test.topic, Partitions: []kmsg.OffsetForLeaderEpochRequestTopicPartition{p}}}
			got := client.ask(q).(*kmsg.OffsetForLeaderEpochResponse).Topics[0]
			require.Equal(t, test.topic, got.Topic)
			require.Len(t, got.Partitions, 1)
			require.Equal(t, test.partition, got.Partitions[0].Partition)
			require.Equal(t, test.code, got.Partitions[0].ErrorCode, name)
			require.Equal(t, test.epoch, got.Partitions[0].LeaderEpoch, name)
			require.Equal(t, test.end, got.Partitions[0].EndOffset, name)
		}
	}
}
