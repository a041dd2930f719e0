package offsets

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/grouplog"
)

var orders, ordersAgain = [16]byte{1}, [16]byte{2}

func existing(name string) ([16]byte, bool) { return orders, name == "orders" }

func (s *Store) applyAll(records []grouplog.Record) {
	for _, r := range records {
		value, _ := r.Value.(*grouplog.Offset)
		s.Apply(r.Key.(grouplog.OffsetKey), value)
	}
}

// commit commits offset for partitions of orders, at a time.
func (s *Store) commit(now int64, group string, offset int64, partitions ...int32) *kmsg.OffsetCommitResponse {
	q := kmsg.NewPtrOffsetCommitRequest()
	q.Group = group
	topic := kmsg.NewOffsetCommitRequestTopic()
	topic.Topic, topic.TopicID = "orders", orders
	for _, number := range partitions {
		p := kmsg.NewOffsetCommitRequestTopicPartition()
		p.Partition, p.Offset, p.LeaderEpoch = number, offset, 3
		topic.Partitions = append(topic.Partitions, p)
	}
	q.Topics = append(q.Topics, topic)
	records, response := Commit(now, q, Limits{MetadataMaxSize: 4})
	s.applyAll(records)
	return response
}

func (s *Store) offset(group string, id [16]byte, partition int32) int64 {
	q := kmsg.NewOffsetFetchRequestGroup()
	q.Group = group
	topic := kmsg.NewOffsetFetchRequestGroupTopic()
	topic.Topic, topic.TopicID, topic.Partitions = "orders", id, []int32{partition}
	q.Topics = append(q.Topics, topic)
	return s.Fetch(&q, existing).Topics[0].Partitions[0].Offset
}

func TestTheNewestCommitIsFetched(t *testing.T) {
	s := NewStore()
	s.commit(1, "g", 10, 0, 1)
	s.commit(2, "g", 12, 1)
	require.EqualValues(t, 10, s.offset("g", orders, 0))
	require.EqualValues(t, 12, s.offset("g", [16]byte{}, 1))
	require.EqualValues(t, -1, s.offset("g", orders, 2))
	require.EqualValues(t, -1, s.offset("h", orders, 0))
	require.Equal(t, 2, s.Len())
}

func TestAnOffsetOfAnEarlierTopicIsNotFetched(t *testing.T) {
	s := NewStore()
	s.commit(1, "g", 10, 0)
	require.EqualValues(t, -1, s.offset("g", ordersAgain, 0))
}

func TestAllOffsetsOfAGroup(t *testing.T) {
	s := NewStore()
	s.commit(1, "g", 10, 4, 0, 2)
	q := kmsg.NewOffsetFetchRequestGroup()
	q.Group = "g"
	all := s.Fetch(&q, existing).Topics
	require.Len(t, all, 1)
	require.Equal(t, orders, all[0].TopicID)
	var numbers []int32
	for _, p := range all[0].Partitions {
		numbers = append(numbers, p.Partition)
	}
	require.Equal(t, []int32{0, 2, 4}, numbers)
	q.Group = "h"
	require.Equal(t, []kmsg.OffsetFetchResponseGroupTopic{}, s.Fetch(&q, existing).Topics)
}

func TestMetadataIsMeasuredInUTF16(t *testing.T) {
	for text, want := range map[string]*kerr.Error{
		"abcd": nil, "abcde": kerr.OffsetMetadataTooLarge, "äöüß": nil, "\U0001F600\U0001F600": nil, "\U0001F600\U0001F600x": kerr.OffsetMetadataTooLarge,
	} {
		q := kmsg.NewPtrOffsetCommitRequest()
		q.Topics = []kmsg.OffsetCommitRequestTopic{{Topic: "orders", Partitions: []kmsg.OffsetCommitRequestTopicPartition{{Metadata: &text}}}}
		records, response := Commit(0, q, Limits{MetadataMaxSize: 4})
		if want == nil {
			require.Len(t, records, 1, text)
			continue
		}
		require.Empty(t, records, text)
		require.Equal(t, want.Code, response.Topics[0].Partitions[0].ErrorCode, text)
	}
}

func TestDeleteKeepsWhatIsSubscribed(t *testing.T) {
	s := NewStore()
	s.commit(1, "g", 10, 0, 1)
	q := kmsg.NewPtrOffsetDeleteRequest()
	q.Group = "g"
	q.Topics = []kmsg.OffsetDeleteRequestTopic{{Topic: "orders", Partitions: []kmsg.OffsetDeleteRequestTopicPartition{{Partition: 0}, {Partition: 9}}}}
	records, response := s.Delete(q, func(string) bool { return true })
	require.Empty(t, records)
	require.Equal(t, kerr.GroupSubscribedToTopic.Code, response.Topics[0].Partitions[0].ErrorCode)
	records, response = s.Delete(q, func(string) bool { return false })
	require.Len(t, records, 1)
	require.Zero(t, response.Topics[0].Partitions[1].ErrorCode, "what is not there is deleted already")
	s.applyAll(records)
	require.EqualValues(t, -1, s.offset("g", orders, 0))
	require.EqualValues(t, 10, s.offset("g", orders, 1))
}

func TestADeletedTopicTakesItsOffsetsAlong(t *testing.T) {
	s := NewStore()
	s.commit(1, "g", 10, 0)
	s.commit(1, "h", 10, 0)
	require.Empty(t, s.DeleteTopic("orders", ordersAgain))
	s.applyAll(s.DeleteTopic("orders", orders))
	require.False(t, s.Has("g"))
	require.Empty(t, s.Groups())
	require.Zero(t, s.Len())
}

func TestExpiry(t *testing.T) {
	for name, test := range map[string]struct {
		e    Expiry
		now  int64
		gone bool
	}{
		"young":                           {Expiry{RetentionMs: 100, EmptySinceMs: -1}, 109, false},
		"old":                             {Expiry{RetentionMs: 100, EmptySinceMs: -1}, 110, true},
		"the last member left just now":   {Expiry{RetentionMs: 100, EmptySinceMs: 1000}, 1099, false},
		"the last member left long ago":   {Expiry{RetentionMs: 100, EmptySinceMs: 1000}, 1100, true},
		"old, and somebody subscribes":    {Expiry{RetentionMs: 100, EmptySinceMs: -1, Subscribed: func(t string) bool { return t == "orders" }}, 999, false},
		"old, and nobody subscribes":      {Expiry{RetentionMs: 100, EmptySinceMs: -1, Subscribed: func(string) bool { return false }}, 999, true},
		"retention of nothing, at once":   {Expiry{EmptySinceMs: -1}, 10, true},
		"retention of nothing, yesterday": {Expiry{EmptySinceMs: -1}, 9, false},
	} {
		s := NewStore()
		s.commit(10, "g", 1, 0)
		s.applyAll(s.Expired(test.now, "g", test.e))
		require.Equal(t, test.gone, !s.Has("g"), name)
	}
}

func TestACommitMaySayWhenItExpires(t *testing.T) {
	s := NewStore()
	q := kmsg.NewPtrOffsetCommitRequest()
	q.Group, q.RetentionTimeMillis = "g", 5
	q.Topics = []kmsg.OffsetCommitRequestTopic{{Topic: "orders", Partitions: make([]kmsg.OffsetCommitRequestTopicPartition, 1)}}
	records, _ := Commit(10, q, Limits{})
	s.applyAll(records)
	never := Expiry{RetentionMs: 1 << 40, EmptySinceMs: -1}
	require.Empty(t, s.Expired(14, "g", never))
	require.Len(t, s.Expired(15, "g", never), 1)
}

func TestTombstonesOfNothingChangeNothing(t *testing.T) {
	s := NewStore()
	s.commit(1, "g", 10, 0)
	for _, k := range []grouplog.OffsetKey{{Group: "g", Topic: "orders", Partition: 1}, {Group: "g", Topic: "x"}, {Group: "x"}} {
		s.Apply(k, nil)
	}
	require.Equal(t, 1, s.Len())
}

func TestManyGroupsAreListed(t *testing.T) {
	s := NewStore()
	for _, group := range strings.Fields("a b c") {
		s.commit(1, group, 1, 0)
	}
	require.ElementsMatch(t, strings.Fields("a b c"), s.Groups())
}
