package kafka

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/metadata"
	"odradek.dev/sdk/replication"
)

func describePage(t *testing.T, b *Backend, limit int32, cursor string, names ...string) *kmsg.DescribeTopicPartitionsResponse {
	t.Helper()
	q := kmsg.NewPtrDescribeTopicPartitionsRequest()
	q.ResponsePartitionLimit = limit
	for _, n := range names {
		q.Topics = append(q.Topics, kmsg.DescribeTopicPartitionsRequestTopic{Topic: n})
	}
	if topic, number, ok := strings.Cut(cursor, "/"); ok {
		q.Cursor = &kmsg.DescribeTopicPartitionsRequestCursor{Topic: topic}
		_, err := fmt.Sscan(number, &q.Cursor.Partition)
		require.NoError(t, err)
	}
	return overTheWire(t, 0, describeTopicPartitions(t.Context(), b, plaintext(), q), kmsg.NewPtrDescribeTopicPartitionsResponse())
}

// written is a page as the table has it: "pa:0,1 pt:0 > pt/1".
func written(r *kmsg.DescribeTopicPartitionsResponse) string {
	var out []string
	for _, t := range r.Topics {
		text := *t.Topic + ":"
		if t.ErrorCode != 0 {
			text += kerr.ErrorForCode(t.ErrorCode).(*kerr.Error).Message
		}
		for i, p := range t.Partitions {
			if i > 0 {
				text += ","
			}
			text += fmt.Sprint(p.Partition)
		}
		out = append(out, text)
	}
	if r.NextCursor != nil {
		out = append(out, fmt.Sprintf("> %s/%d", r.NextCursor.Topic, r.NextCursor.Partition))
	}
	return strings.Join(out, " ")
}

// The answers are those of Kafka 4.4.0 to the same requests, but for the last:
// Kafka fails on an empty name, with UNKNOWN_SERVER_ERROR for all.
func TestDescribeTopicPartitionsPages(t *testing.T) {
	b, p := planned(t)
	p.create(t, "pt", "pa") // two partitions each
	const all = math.MaxInt32
	for _, test := range []struct {
		limit  int32
		cursor string
		names  []string
		want   string
	}{
		{all, "", nil, "pa:0,1 pt:0,1"},
		{all, "", []string{"pt", "pa", "pt"}, "pa:0,1 pt:0,1"},
		{1, "", []string{"pt"}, "pt:0 > pt/1"},
		{0, "", []string{"pt"}, "pt:0 > pt/1"},
		{-1, "", []string{"pt"}, "pt:0 > pt/1"},
		{2, "", []string{"pt", "pa"}, "pa:0,1 > pt/0"},
		{3, "", []string{"pt", "pa"}, "pa:0,1 pt:0 > pt/1"},
		{2, "", []string{"pt", "zz", "zzz"}, "pt:0,1 > zz/0"},
		{1, "", []string{"missing", "pt", "zz"}, "missing:UNKNOWN_TOPIC_OR_PARTITION pt:0 > pt/1"},
		{all, "", []string{"pt", "a b"}, "a b:INVALID_TOPIC_EXCEPTION pt:0,1"},
		{1, "pt/1", []string{"pt"}, "pt:1"},
		{2, "pt/1", []string{"pt", "pa"}, "pt:1"},
		{2, "pa/1", nil, "pa:1 pt:0 > pt/1"},
		{2, "pb/1", nil, "pt:0,1"},
		{2, "pa/2", []string{"pt", "pa"}, "pa: pt:0,1"},
		{2, "pt/99", []string{"pt"}, "pt:"},
		{2, "pt/2147483647", []string{"pt"}, "pt:"},
		{2, "missing/5", []string{"missing", "pt"}, "missing:UNKNOWN_TOPIC_OR_PARTITION pt:0,1"},
		{2, "pt/-1", []string{"pt"}, "pt:INVALID_REQUEST"},
		{2, "pb/1", []string{"pt", "pa"}, "pt:INVALID_REQUEST pa:INVALID_REQUEST"},
		{2, "/0", []string{"pt"}, "pt:INVALID_REQUEST"},
		{all, "", []string{"pt", ""}, ":INVALID_TOPIC_EXCEPTION pt:0,1"},
	} {
		require.Equal(t, test.want, written(describePage(t, b, test.limit, test.cursor, test.names...)), "limit %d cursor %q topics %q", test.limit, test.cursor, test.names)
	}
}

// The broker's own bound holds for clients that ask for more.
func TestDescribeTopicPartitionsIsBounded(t *testing.T) {
	b, p := planned(t)
	results := p.CreateTopics(t.Context(), []metadata.NewTopic{{Name: "wide", Partitions: 2500, ReplicationFactor: 1}}, false)
	require.Nil(t, results[0].Refusal)
	first := describePage(t, b, math.MaxInt32, "")
	require.Len(t, first.Topics[0].Partitions, 2000)
	rest := describePage(t, b, math.MaxInt32, fmt.Sprintf("%s/%d", first.NextCursor.Topic, first.NextCursor.Partition))
	require.Len(t, rest.Topics[0].Partitions, 500)
	require.Nil(t, rest.NextCursor)
}

func TestDescribeTopicPartitionsDescribes(t *testing.T) {
	b, p := planned(t)
	p.create(t, "orders", "__consumer_offsets")
	orders, _ := p.Image().Topic("orders")
	p.SetPartition(orders.ID, 1, replication.Record{Version: 2, Leader: -1, LeaderEpoch: 1, Replicas: []int32{7, 8}, InSync: []int32{7}, MinInSync: 1})
	resp := describePage(t, b, 10, "")
	require.True(t, resp.Topics[0].IsInternal)
	topic := resp.Topics[1]
	require.False(t, topic.IsInternal)
	require.EqualValues(t, orders.ID, topic.TopicID)
	require.EqualValues(t, topicOperations, topic.AuthorizedOperations)
	led, leaderless := topic.Partitions[0], topic.Partitions[1]
	require.Zero(t, led.ErrorCode)
	require.EqualValues(t, 7, led.LeaderID)
	require.Equal(t, []int32{7}, led.ISR)
	require.NotNil(t, led.EligibleLeaderReplicas, "null would mean that they are not known")
	require.Empty(t, led.EligibleLeaderReplicas)
	require.NotNil(t, led.LastKnownELR)
	require.Empty(t, led.OfflineReplicas)
	require.Equal(t, kerr.LeaderNotAvailable.Code, leaderless.ErrorCode)
	require.EqualValues(t, -1, leaderless.LeaderID)
	require.Equal(t, []int32{8}, leaderless.OfflineReplicas)
}
