package endtoend

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

// TestKilledBrokerKeepsEveryAcknowledgedRecord kills the broker ten times under
// idempotent producers. Each producer writes 0, 1, 2, ... to a partition of its
// own; what was acknowledged must be there once and in order, and what was not
// may be there at most once.
func TestKilledBrokerKeepsEveryAcknowledgedRecord(t *testing.T) {
	const (
		producers = 4
		kills     = 10
		topic     = "survivors"
	)
	b := startBroker(t)
	createTopic(t, b.Addr, topic, producers)

	ctx, stop := context.WithCancel(t.Context())
	var acknowledged [producers]atomic.Int64
	var running sync.WaitGroup
	failures := make(chan error, producers)
	for p := range producers {
		running.Go(func() {
			if err := produceNumbers(ctx, b.Addr, topic, int32(p), &acknowledged[p]); err != nil {
				failures <- err
			}
		})
	}
	for range kills {
		awaitProgress(t, &acknowledged, 2000)
		require.NoError(t, b.Kill())
		require.NoError(t, b.Start(t.Context()))
	}
	awaitProgress(t, &acknowledged, 2000)
	stop()
	running.Wait()
	close(failures)
	for err := range failures {
		require.NoError(t, err)
	}
	for p := range producers {
		got := consumeAll(t, b.Addr, topic, int32(p))
		for i, value := range got {
			require.Equal(t, fmt.Sprint(i), value, "partition %d, position %d", p, i)
		}
		require.GreaterOrEqual(t, int64(len(got)), acknowledged[p].Load(), "partition %d lost acknowledged records", p)
		t.Logf("partition %d: %d records, %d acknowledged", p, len(got), acknowledged[p].Load())
	}
}

// produceNumbers produces until the context ends. Of the numbers below the
// count in acknowledged every one was acknowledged.
func produceNumbers(ctx context.Context, addr, topic string, partition int32, acknowledged *atomic.Int64) error {
	client, err := kgo.NewClient(kgo.SeedBrokers(addr), kgo.RecordPartitioner(kgo.ManualPartitioner()), kgo.MaxBufferedRecords(1000))
	if err != nil {
		return err
	}
	defer client.Close()
	failed := make(chan error, 1)
	for n := 0; ctx.Err() == nil; n++ {
		record := &kgo.Record{Topic: topic, Partition: partition, Value: fmt.Append(nil, n)}
		client.Produce(context.Background(), record, func(_ *kgo.Record, err error) {
			if err != nil {
				select {
				case failed <- fmt.Errorf("record %d of partition %d: %w", n, partition, err):
				default:
				}
				return
			}
			acknowledged.Add(1)
		})
		select {
		case err := <-failed:
			return err
		default:
		}
	}
	return client.Flush(context.Background())
}

// awaitProgress waits until each producer has had more records acknowledged.
func awaitProgress(t *testing.T, acknowledged *[4]atomic.Int64, more int64) {
	t.Helper()
	var goals [4]int64
	for p := range acknowledged {
		goals[p] = acknowledged[p].Load() + more
	}
	require.Eventually(t, func() bool {
		for p := range acknowledged {
			if acknowledged[p].Load() < goals[p] {
				return false
			}
		}
		return true
	}, time.Minute, time.Millisecond)
}

func createTopic(t *testing.T, addr, topic string, partitions int32) {
	t.Helper()
	client, err := kgo.NewClient(kgo.SeedBrokers(addr))
	require.NoError(t, err)
	defer client.Close()
	_, err = kadm.NewClient(client).CreateTopic(t.Context(), partitions, 1, nil, topic)
	require.NoError(t, err)
}

// consumeAll reads a partition from its beginning to the end that it has now.
func consumeAll(t *testing.T, addr, topic string, partition int32) []string {
	t.Helper()
	client, err := kgo.NewClient(kgo.SeedBrokers(addr), kgo.ConsumePartitions(map[string]map[int32]kgo.Offset{
		topic: {partition: kgo.NewOffset().AtStart()},
	}))
	require.NoError(t, err)
	defer client.Close()
	ends, err := kadm.NewClient(client).ListEndOffsets(t.Context(), topic)
	require.NoError(t, err)
	end, ok := ends.Lookup(topic, partition)
	require.True(t, ok)
	require.NoError(t, end.Err)
	values := make([]string, 0, end.Offset)
	for int64(len(values)) < end.Offset {
		fetches := client.PollFetches(t.Context())
		require.NoError(t, fetches.Err())
		fetches.EachRecord(func(r *kgo.Record) {
			require.Equal(t, int64(len(values)), r.Offset)
			values = append(values, string(r.Value))
		})
	}
	return values
}
