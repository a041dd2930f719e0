package endtoend

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"odradek.dev/tools/internal/brokerproc"
)

// TestACompactedTopicStaysSmall writes a million records of a thousand keys,
// kills the broker in between, and finds the last value of each key in a log of
// a few segments.
func TestACompactedTopicStaysSmall(t *testing.T) {
	const (
		topic   = "positions"
		records = 1_000_000
		keys    = 1000
		// A segment that is being written to, one that may be as large after
		// compaction, and as much again as may be new.
		most = 4 << 20
	)
	b := startBroker(t, "-X", "log.cleaner.backoff.ms=50")
	client, err := kgo.NewClient(kgo.SeedBrokers(b.Addr), kgo.MaxBufferedRecords(20_000))
	require.NoError(t, err)
	defer client.Close()
	admin := kadm.NewClient(client)
	_, err = admin.CreateTopic(t.Context(), 1, 1, map[string]*string{
		"cleanup.policy": kadm.StringPtr("compact"), "segment.bytes": kadm.StringPtr("1048576"),
		"min.cleanable.dirty.ratio": kadm.StringPtr("0.3"), "file.delete.delay.ms": kadm.StringPtr("0"),
	}, topic)
	require.NoError(t, err)

	last := map[string]string{}
	random := rand.New(rand.NewPCG(1, 1))
	for i := range records {
		key, value := fmt.Sprint("key-", random.IntN(keys)), fmt.Sprint("value-", i)
		last[key] = value
		client.Produce(t.Context(), &kgo.Record{Topic: topic, Key: []byte(key), Value: []byte(value)}, func(_ *kgo.Record, err error) {
			if err != nil && t.Context().Err() == nil {
				t.Error(err)
			}
		})
		if i == records/3 || i == records*2/3 {
			require.NoError(t, b.Kill())
			require.NoError(t, b.Start(t.Context()))
		}
	}
	require.NoError(t, client.Flush(t.Context()))
	size := func() int64 { return logBytes(t, admin, topic) }
	require.Eventually(t, func() bool { return size() < most }, time.Minute, 50*time.Millisecond, "%d bytes", size())
	requireLast(t, b, topic, last)
	require.NoError(t, b.Kill())
	require.NoError(t, b.Start(t.Context()))
	require.Less(t, size(), int64(most))
	requireLast(t, b, topic, last)
}

// logBytes is the size of the logs of a topic.
func logBytes(t *testing.T, admin *kadm.Client, topic string) (sum int64) {
	t.Helper()
	all, err := admin.DescribeAllLogDirs(t.Context(), nil)
	require.NoError(t, err)
	all.Each(func(d kadm.DescribedLogDir) {
		require.NoError(t, d.Err)
		d.Topics.Each(func(p kadm.DescribedLogDirPartition) {
			if p.Topic == topic {
				sum += p.Size
			}
		})
	})
	require.Positive(t, sum)
	return sum
}

// requireLast reads the topic as a table.
func requireLast(t *testing.T, b *brokerproc.Broker, topic string, want map[string]string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	client, err := kgo.NewClient(kgo.SeedBrokers(b.Addr), kgo.ConsumePartitions(map[string]map[int32]kgo.Offset{
		topic: {0: kgo.NewOffset().AtStart()},
	}))
	require.NoError(t, err)
	defer client.Close()
	ends, err := kadm.NewClient(client).ListEndOffsets(ctx, topic)
	require.NoError(t, err)
	end, ok := ends.Lookup(topic, 0)
	require.True(t, ok)
	got := map[string]string{}
	for before := int64(-1); before < end.Offset-1; {
		fetches := client.PollFetches(ctx)
		require.NoError(t, fetches.Err())
		fetches.EachRecord(func(r *kgo.Record) {
			require.Greater(t, r.Offset, before)
			got[string(r.Key)], before = string(r.Value), r.Offset
		})
	}
	require.Equal(t, want, got)
}
