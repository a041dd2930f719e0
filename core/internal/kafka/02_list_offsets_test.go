package kafka

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/config"
	"odradek.dev/core/internal/metadata"
	"odradek.dev/sdk/codec"
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/record/recordtest"
	"odradek.dev/sdk/storage"
)

func (c *rawClient) listOffset(version int16, topic string, epoch int32, timestamp int64) kmsg.ListOffsetsResponseTopicPartition {
	c.t.Helper()
	q := kmsg.NewPtrListOffsetsRequest()
	q.SetVersion(version)
	q.ReplicaID = -1
	q.Topics = []kmsg.ListOffsetsRequestTopic{
		{Topic: "without partitions"},
		{Topic: topic, Partitions: []kmsg.ListOffsetsRequestTopicPartition{{CurrentLeaderEpoch: epoch, Timestamp: timestamp}}},
	}
	answer := c.ask(q).(*kmsg.ListOffsetsResponse)
	require.Len(c.t, answer.Topics, 1)
	require.Len(c.t, answer.Topics[0].Partitions, 1)
	return answer.Topics[0].Partitions[0]
}

func TestATimestampThatTheVersionHasNot(t *testing.T) {
	b := newTestBroker(t)
	b.create(t, "orders", 1, nil)
	client := b.dial(t)
	for timestamp, since := range map[int64]int16{-3: 7, -4: 8, -5: 9, -6: 11, -7: 99} {
		for version := int16(1); version <= 11; version++ {
			p := client.listOffset(version, "orders", -1, timestamp)
			require.Equal(t, version < since, p.ErrorCode == kerr.UnsupportedVersion.Code, "%d, version %d", timestamp, version)
			require.Equal(t, p.ErrorCode == 0 && timestamp == -4, p.LeaderEpoch == 0, "%d, version %d", timestamp, version)
			require.Equal(t, p.ErrorCode == kerr.UnsupportedVersion.Code,
				client.listOffset(version, "nothing", 9, timestamp).ErrorCode == kerr.UnsupportedVersion.Code, "whatever the topic")
		}
	}
}

// A lookup by time opens a batch. If its codec is away for a moment the client is
// to ask again, and not to take the log for damaged.
func TestALookupWhoseCodecFails(t *testing.T) {
	var failing atomic.Pointer[error]
	b := newTestBroker(t, func(_ *config.Broker, tb *testBroker) {
		tb.decompress = func(attribute int8, dst, src []byte, budget int) ([]byte, error) {
			if err := failing.Load(); err != nil {
				return nil, *err
			}
			return decompress(attribute, dst, src, budget)
		}
	})
	b.create(t, "orders", 1, nil)
	b.append(t, "orders", 0, recordtest.Batch(recordtest.Spec{
		Records: recordtest.Numbered(3, 1000), Codec: 4, Compress: func(records []byte) []byte {
			packed, err := compress(4, nil, records, 0)
			require.NoError(t, err)
			return packed
		},
	}))
	client := b.dial(t)
	require.EqualValues(t, 1, client.listOffset(7, "orders", -1, 1001).Offset)
	for _, test := range []struct {
		err     error
		version int16
		want    *kerr.Error
	}{
		{module.Retriablef("quarantined"), 7, kerr.OffsetNotAvailable},
		{module.Retriablef("quarantined"), 4, kerr.LeaderNotAvailable},
		{codec.ErrNone.With("add zstd to modules.codec"), 7, kerr.UnsupportedCompressionType},
		{codec.ErrCorrupt.With("at 3"), 7, kerr.UnknownServerError},
	} {
		failing.Store(&test.err)
		require.Equal(t, test.want.Code, client.listOffset(test.version, "orders", -1, 1001).ErrorCode, "%v", test.err)
		require.Zero(t, client.listOffset(test.version, "orders", -1, -1).ErrorCode, "the end needs no codec")
	}
}

func TestALookupInADamagedBatch(t *testing.T) {
	b := newTestBroker(t)
	id := b.create(t, "orders", 1, nil)
	for _, at := range []int64{1000, 2000} {
		b.append(t, "orders", 0, recordtest.Batch(recordtest.Spec{Records: recordtest.Numbered(3, at)}))
	}
	require.NoError(t, b.engine.Log(storage.ID{Topic: "orders", TopicID: id}).Damage(1))
	client := b.dial(t)
	require.EqualValues(t, 1, client.listOffset(7, "orders", -1, 1001).Offset)
	for _, timestamp := range []int64{2001, -3} {
		require.Equal(t, kerr.CorruptMessage.Code, client.listOffset(7, "orders", -1, timestamp).ErrorCode)
	}
	require.EqualValues(t, 6, client.listOffset(7, "orders", -1, -1).Offset)
}

// The log is closed and its file removed once the lookup has found a batch.
func TestALookupInATopicThatIsDeletedMeanwhile(t *testing.T) {
	b := newTestBroker(t)
	b.create(t, "orders", 1, nil)
	b.append(t, "orders", 0, recordtest.Batch(recordtest.Spec{Records: recordtest.Numbered(3, 1000)}))
	client := b.dial(t)
	b.engine.AfterRead = func() {
		b.engine.AfterRead = nil
		b.backend.Controller.DeleteTopics(context.Background(), []metadata.TopicRef{{Name: "orders"}})
	}
	require.Equal(t, kerr.UnknownTopicOrPartition.Code, client.listOffset(7, "orders", -1, 1001).ErrorCode)
	require.NotContains(t, b.log.String(), "lookup by time failed")
}
