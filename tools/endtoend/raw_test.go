package endtoend

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/sdk/record"
	"odradek.dev/sdk/record/recordtest"
)

// topicClient sends single requests about one topic, whose errors a client
// would retry.
type topicClient struct {
	t      *testing.T
	client *kgo.Client
	name   string
	id     [16]byte
}

// patient is a client that sends some request once and so fails with it: it gives
// a machine that stands still more than the usual ten seconds.
func patient(t *testing.T, addr string) *kgo.Client {
	t.Helper()
	client, err := kgo.NewClient(kgo.SeedBrokers(addr), kgo.RequestTimeoutOverhead(time.Minute))
	require.NoError(t, err)
	t.Cleanup(client.Close)
	return client
}

func newTopic(t *testing.T, addr, name string, partitions int32, configs map[string]*string) *topicClient {
	t.Helper()
	client := patient(t, addr)
	created, err := kadm.NewClient(client).CreateTopic(t.Context(), partitions, 1, configs, name)
	require.NoError(t, err)
	return &topicClient{t, client, name, created.ID}
}

// known is the same topic, asked of another broker.
func (c *topicClient) known(addr string) *topicClient {
	c.t.Helper()
	return &topicClient{c.t, patient(c.t, addr), c.name, c.id}
}

func (c *topicClient) broker() *kgo.Broker { return c.client.SeedBrokers()[0] }

func (c *topicClient) produceRequest(partition int32, values ...string) *kmsg.ProduceRequest {
	p := kmsg.NewProduceRequestTopicPartition()
	p.Partition, p.Records = partition, recordtest.Batch(recordtest.Spec{Records: recordtest.Values(1_700_000_000_000, values...)})
	topic := kmsg.NewProduceRequestTopic()
	topic.Topic, topic.TopicID, topic.Partitions = c.name, c.id, []kmsg.ProduceRequestTopicPartition{p}
	q := kmsg.NewPtrProduceRequest()
	q.Acks, q.TimeoutMillis, q.Topics = -1, 30_000, []kmsg.ProduceRequestTopic{topic}
	return q
}

// produce answers with an error code and the base offset.
func (c *topicClient) produce(partition int32, values ...string) (int16, int64) {
	c.t.Helper()
	answer, err := c.produceRequest(partition, values...).RequestWith(c.t.Context(), c.broker())
	require.NoError(c.t, err)
	got := answer.Topics[0].Partitions[0]
	return got.ErrorCode, got.BaseOffset
}

// fetch answers with an error code and whole batches.
func (c *topicClient) fetch(partition int32, offset int64) (int16, []record.Batch) {
	c.t.Helper()
	p := kmsg.NewFetchRequestTopicPartition()
	p.Partition, p.FetchOffset, p.PartitionMaxBytes = partition, offset, 1<<20
	topic := kmsg.NewFetchRequestTopic()
	topic.Topic, topic.TopicID, topic.Partitions = c.name, c.id, []kmsg.FetchRequestTopicPartition{p}
	q := kmsg.NewPtrFetchRequest()
	q.MaxBytes, q.SessionEpoch, q.Topics = 1<<20, -1, []kmsg.FetchRequestTopic{topic}
	answer, err := q.RequestWith(c.t.Context(), c.broker())
	require.NoError(c.t, err)
	require.Zero(c.t, answer.ErrorCode)
	got := answer.Topics[0].Partitions[0]
	var batches []record.Batch
	for rest := got.RecordBatches; len(rest) > 0; {
		batch, after, whole := record.Next(rest)
		if !whole {
			break
		}
		require.True(c.t, batch.CRCValid())
		batches, rest = append(batches, batch), after
	}
	return got.ErrorCode, batches
}

// values reads a partition from its beginning to its end.
func (c *topicClient) values(partition int32) []string {
	c.t.Helper()
	var all []string
	for {
		code, batches := c.fetch(partition, int64(len(all)))
		require.Zero(c.t, code)
		if len(batches) == 0 {
			return all
		}
		for _, b := range batches {
			require.EqualValues(c.t, len(all), b.BaseOffset())
			require.NoError(c.t, record.Walk(b.Records(), b.RecordCount(), func(r record.Record) error {
				all = append(all, string(r.Value))
				return nil
			}))
		}
	}
}
