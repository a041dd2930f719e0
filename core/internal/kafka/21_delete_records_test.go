package kafka

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
)

func deleteRequest(version int16, topic string, offsets ...[2]int64) *kmsg.DeleteRecordsRequest {
	q := kmsg.NewPtrDeleteRecordsRequest()
	q.SetVersion(version)
	q.TimeoutMillis = 1000
	t := kmsg.NewDeleteRecordsRequestTopic()
	t.Topic = topic
	for _, o := range offsets {
		p := kmsg.NewDeleteRecordsRequestTopicPartition()
		p.Partition, p.Offset = int32(o[0]), o[1]
		t.Partitions = append(t.Partitions, p)
	}
	q.Topics = append(q.Topics, t)
	return q
}

func deleted(partition int32, low int64, kind *kerr.Error) kmsg.DeleteRecordsResponseTopicPartition {
	p := kmsg.NewDeleteRecordsResponseTopicPartition()
	p.Partition, p.LowWatermark = partition, low
	if kind != nil {
		p.ErrorCode = kind.Code
	}
	return p
}

func TestDeleteRecords(t *testing.T) {
	steps := []struct {
		name   string
		topic  string
		offset [2]int64
		want   kmsg.DeleteRecordsResponseTopicPartition
	}{
		{"inside a batch", "orders", [2]int64{0, 2}, deleted(0, 2, nil)},
		{"below the start", "orders", [2]int64{0, 1}, deleted(0, 2, nil)},
		{"above the high watermark", "orders", [2]int64{0, 5}, deleted(0, -1, kerr.OffsetOutOfRange)},
		{"no offset", "orders", [2]int64{0, -2}, deleted(0, -1, kerr.OffsetOutOfRange)},
		{"to the high watermark", "orders", [2]int64{0, -1}, deleted(0, 4, nil)},
		{"to the high watermark again", "orders", [2]int64{0, 4}, deleted(0, 4, nil)},
		{"of an empty partition", "orders", [2]int64{1, -1}, deleted(1, 0, nil)},
		{"of a partition that is not", "orders", [2]int64{7, 0}, deleted(7, -1, kerr.UnknownTopicOrPartition)},
		{"of a topic that is not", "missing", [2]int64{0, 0}, deleted(0, -1, kerr.UnknownTopicOrPartition)},
		{"of a name that can not be", "a b", [2]int64{0, 0}, deleted(0, -1, kerr.UnknownTopicOrPartition)},
		{"of an internal topic", "__share_group_state", [2]int64{0, 0}, deleted(0, -1, kerr.InvalidTopicException)},
		{"of a compacted topic", "compacted", [2]int64{0, 99}, deleted(0, -1, kerr.PolicyViolation)},
		{"of a compacted topic with deletion", "both", [2]int64{0, 0}, deleted(0, 0, nil)},
		{"of a topic that keeps all", "neither", [2]int64{0, 0}, deleted(0, 0, nil)},
	}
	for version := int16(0); version <= 2; version++ {
		b := newTestBroker(t)
		id := b.create(t, "orders", 2, nil)
		b.create(t, "compacted", 1, map[string]string{"cleanup.policy": "compact"})
		b.create(t, "both", 1, map[string]string{"cleanup.policy": "compact,delete"})
		b.create(t, "neither", 1, map[string]string{"cleanup.policy": ""})
		b.create(t, "__share_group_state", 1, nil)
		client := b.dial(t)
		require.Zero(t, producedOf(t, client.ask(produceOf(9, "orders", id, 1, batchOf("a", "b", "c", "d")))).ErrorCode)
		for _, s := range steps {
			got := client.ask(deleteRequest(version, s.topic, s.offset)).(*kmsg.DeleteRecordsResponse).Topics
			require.Len(t, got, 1)
			require.Equal(t, s.topic, got[0].Topic)
			require.Equal(t, []kmsg.DeleteRecordsResponseTopicPartition{s.want}, got[0].Partitions, s.name)
		}
		require.EqualValues(t, 4, b.partition(t, "orders", 0).LogStartOffset())
	}
}

func TestDeleteRecordsTakesTheLastOffsetOfAPartition(t *testing.T) {
	b := newTestBroker(t)
	id := b.create(t, "orders", 2, nil)
	client := b.dial(t)
	require.Zero(t, producedOf(t, client.ask(produceOf(9, "orders", id, 1, batchOf("a", "b", "c", "d")))).ErrorCode)
	q := deleteRequest(2, "orders", [2]int64{0, 99}, [2]int64{1, 0}, [2]int64{0, 3})
	got := client.ask(q).(*kmsg.DeleteRecordsResponse).Topics[0].Partitions
	require.Equal(t, []kmsg.DeleteRecordsResponseTopicPartition{deleted(0, 3, nil), deleted(1, 0, nil)}, got)
}

func TestFetchBelowTheLogStart(t *testing.T) {
	b := newTestBroker(t)
	id := b.create(t, "orders", 1, nil)
	client := b.dial(t)
	require.Zero(t, producedOf(t, client.ask(produceOf(9, "orders", id, 1, batchOf("a", "b", "c", "d")))).ErrorCode)
	client.ask(deleteRequest(2, "orders", [2]int64{0, 2}))
	for offset, code := range map[int64]int16{0: kerr.OffsetOutOfRange.Code, 1: kerr.OffsetOutOfRange.Code, 2: 0, 4: 0} {
		q := fetchOf(12, "orders", id, offset)
		q.MaxWaitMillis = 0 // there is nothing at the end
		got := fetchedOf(t, client.ask(q))
		require.Equal(t, code, got.ErrorCode, "offset %d", offset)
		if code == 0 {
			require.EqualValues(t, 2, got.LogStartOffset)
		} else {
			require.EqualValues(t, -1, got.LogStartOffset, "none is told with an error")
		}
	}
}
