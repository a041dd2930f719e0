package kafka

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kgo"

	"odradek.dev/core/internal/config"
)

func patience(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// A client with its defaults is idempotent, creates the topic by asking for
// it, and uses the newest versions.
func TestAClientProducesAndConsumes(t *testing.T) {
	for name, inline := range map[string]bool{"files": false, "inline": true} {
		t.Run(name, func(t *testing.T) {
			b := newTestBroker(t, func(_ *config.Broker, tb *testBroker) { tb.engine.Inline = inline })
			ctx := patience(t)
			producer := b.client(t, kgo.AllowAutoTopicCreation(), kgo.ProducerBatchCompression(kgo.NoCompression()))
			const count = 5000
			var wait sync.WaitGroup
			for i := range count {
				wait.Add(1)
				r := &kgo.Record{Topic: "orders", Key: fmt.Appendf(nil, "%d", i), Value: make([]byte, i%400)}
				producer.Produce(ctx, r, func(_ *kgo.Record, err error) {
					defer wait.Done()
					if err != nil {
						t.Errorf("produce %d: %v", i, err)
					}
				})
			}
			wait.Wait()
			requireConsumes(t, b, "orders", count)
		})
	}
}

// requireConsumes reads the first partition and finds the keys 0, 1, 2, ...
func requireConsumes(t *testing.T, b *testBroker, topic string, count int) {
	t.Helper()
	ctx := patience(t)
	consumer := b.client(t, kgo.ConsumePartitions(map[string]map[int32]kgo.Offset{topic: {0: kgo.NewOffset().AtStart()}}))
	next := 0
	for next < count {
		fetches := consumer.PollFetches(ctx)
		require.NoError(t, fetches.Err())
		for _, r := range fetches.Records() {
			require.Equal(t, int64(next), r.Offset)
			require.Equal(t, fmt.Sprint(next), string(r.Key))
			next++
		}
	}
}

func TestAParkedConsumerGetsWhatIsProduced(t *testing.T) {
	b := newTestBroker(t)
	b.create(t, "orders", 1, nil)
	ctx := patience(t)
	consumer := b.client(t, kgo.FetchMaxWait(10*time.Second),
		kgo.ConsumePartitions(map[string]map[int32]kgo.Offset{"orders": {0: kgo.NewOffset().AtStart()}}))
	producer := b.client(t, kgo.ProducerLinger(0))
	for i := range 50 {
		value := fmt.Sprint(i)
		require.NoError(t, producer.ProduceSync(ctx, &kgo.Record{Topic: "orders", Value: []byte(value)}).FirstErr())
		fetches := consumer.PollFetches(ctx)
		require.NoError(t, fetches.Err())
		require.Len(t, fetches.Records(), 1)
		require.Equal(t, value, string(fetches.Records()[0].Value))
	}
}
