package kafka

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/config"
	"odradek.dev/sdk/storage"
)

func TestDescribeLogDirsAtEveryVersion(t *testing.T) {
	b := newTestBroker(t, func(c *config.Broker, _ *testBroker) { c.LogDirs = append(c.LogDirs, t.TempDir()) })
	id := b.create(t, "orders", 2, nil)
	b.create(t, "words", 2, nil)
	client := b.dial(t)
	records := batchOf("a")
	require.Zero(t, producedOf(t, client.ask(produceOf(9, "orders", id, 1, records))).ErrorCode)
	for version := int16(1); version <= 5; version++ {
		q := kmsg.NewPtrDescribeLogDirsRequest()
		q.SetVersion(version)
		sizes := map[string]map[int32]int64{}
		answer := client.ask(q).(*kmsg.DescribeLogDirsResponse)
		require.Zero(t, answer.ErrorCode)
		require.Len(t, answer.Dirs, 2)
		for i, dir := range answer.Dirs {
			require.Zero(t, dir.ErrorCode)
			require.Equal(t, b.backend.Config.LogDirs[i], dir.Dir)
			require.Len(t, dir.Topics, 2, "the partitions are spread")
			for _, topic := range dir.Topics {
				for _, p := range topic.Partitions {
					require.False(t, p.IsFuture)
					require.Zero(t, p.OffsetLag)
					if sizes[topic.Topic] == nil {
						sizes[topic.Topic] = map[int32]int64{}
					}
					sizes[topic.Topic][p.Partition] = p.Size
				}
			}
			if version < 4 {
				require.EqualValues(t, -1, dir.TotalBytes)
				continue
			}
			require.Positive(t, dir.TotalBytes)
			require.Positive(t, dir.UsableBytes)
			require.Less(t, dir.UsableBytes, dir.TotalBytes)
		}
		require.Equal(t, map[string]map[int32]int64{"orders": {0: int64(len(records)), 1: 0}, "words": {0: 0, 1: 0}}, sizes)
	}
}

func TestDescribeLogDirsOfSomePartitions(t *testing.T) {
	b := newTestBroker(t)
	b.create(t, "orders", 3, nil)
	b.create(t, "words", 1, nil)
	describe := func(topics ...kmsg.DescribeLogDirsRequestTopic) []kmsg.DescribeLogDirsResponseDirTopic {
		q := kmsg.NewPtrDescribeLogDirsRequest()
		q.SetVersion(5)
		q.Topics = topics
		if topics == nil {
			q.Topics = []kmsg.DescribeLogDirsRequestTopic{}
		}
		answer := b.dial(t).ask(q).(*kmsg.DescribeLogDirsResponse)
		require.Len(t, answer.Dirs, 1)
		return answer.Dirs[0].Topics
	}
	require.Empty(t, describe(), "none were asked for")
	got := describe(
		kmsg.DescribeLogDirsRequestTopic{Topic: "orders", Partitions: []int32{2, 0, 2, 99, -1}},
		kmsg.DescribeLogDirsRequestTopic{Topic: "missing", Partitions: []int32{0}},
	)
	require.Len(t, got, 1)
	require.Equal(t, "orders", got[0].Topic)
	require.Len(t, got[0].Partitions, 2)
	require.EqualValues(t, 0, got[0].Partitions[0].Partition)
	require.EqualValues(t, 2, got[0].Partitions[1].Partition)
}

func TestLogDirsAreAbsolute(t *testing.T) {
	require.True(t, filepath.IsAbs(absolute("data")))
	require.Equal(t, "/var/lib/odradek", absolute("/var/lib/odradek"))
	total, usable := volumeBytes(filepath.Join(t.TempDir(), "is", "not", "there"))
	require.EqualValues(t, -1, total)
	require.EqualValues(t, -1, usable)
}

func TestAFailedLogDirIsAnsweredWithItsError(t *testing.T) {
	b := newTestBroker(t, func(c *config.Broker, _ *testBroker) { c.LogDirs = append(c.LogDirs, t.TempDir()) })
	id := b.create(t, "orders", 2, nil)
	bad := b.partition(t, "orders", 0).Dir()
	client := b.dial(t)
	b.engine.FailAppend = func() error { return storage.ErrDirectoryFailed.With("%s", bad) }
	require.Equal(t, kerr.KafkaStorageError.Code, producedOf(t, client.ask(produceOf(9, "orders", id, 1, batchOf("a")))).ErrorCode)
	q := kmsg.NewPtrDescribeLogDirsRequest()
	q.SetVersion(5)
	answer := client.ask(q).(*kmsg.DescribeLogDirsResponse)
	require.Len(t, answer.Dirs, 2)
	for _, dir := range answer.Dirs {
		if dir.Dir != bad {
			require.Zero(t, dir.ErrorCode)
			require.Len(t, dir.Topics, 1)
			continue
		}
		require.Equal(t, kerr.KafkaStorageError.Code, dir.ErrorCode)
		require.Empty(t, dir.Topics)
		require.EqualValues(t, -1, dir.TotalBytes)
	}
}

// Who asks for a partition on a failed disk is told that nobody leads it, as by
// Kafka, and does not ask again and again.
func TestPartitionsOfAFailedLogDirHaveNoLeader(t *testing.T) {
	b := newTestBroker(t, func(c *config.Broker, _ *testBroker) { c.LogDirs = append(c.LogDirs, t.TempDir()) })
	id := b.create(t, "orders", 2, nil)
	bad := b.partition(t, "orders", 0).Dir()
	client := b.dial(t)
	q := kmsg.NewPtrMetadataRequest()
	q.SetVersion(12)
	pages := kmsg.NewPtrDescribeTopicPartitionsRequest()
	pages.ResponsePartitionLimit = 10
	for _, failed := range []bool{false, true} {
		if failed {
			b.engine.FailAppend = func() error { return storage.ErrDirectoryFailed.With("%s", bad) }
			require.Equal(t, kerr.KafkaStorageError.Code, producedOf(t, client.ask(produceOf(9, "orders", id, 1, batchOf("a")))).ErrorCode)
		}
		orders := client.ask(q).(*kmsg.MetadataResponse).Topics[0]
		require.Zero(t, orders.ErrorCode)
		page := client.ask(pages).(*kmsg.DescribeTopicPartitionsResponse).Topics[0]
		for number := range int32(2) {
			p, paged := orders.Partitions[number], page.Partitions[number]
			require.Equal(t, []int32{1}, p.Replicas)
			require.Equal(t, []int32{1}, p.ISR)
			require.Equal(t, p.OfflineReplicas, paged.OfflineReplicas)
			require.Equal(t, p.Leader, paged.LeaderID)
			require.Equal(t, p.ErrorCode, paged.ErrorCode)
			if !failed || number == 1 {
				require.Zero(t, p.ErrorCode)
				require.EqualValues(t, 1, p.Leader)
				require.Empty(t, p.OfflineReplicas)
				continue
			}
			require.Equal(t, kerr.LeaderNotAvailable.Code, p.ErrorCode)
			require.EqualValues(t, -1, p.Leader)
			require.Equal(t, []int32{1}, p.OfflineReplicas)
		}
	}
}
