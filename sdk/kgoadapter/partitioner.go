package kgoadapter

import (
	"context"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"odradek.dev/sdk/module"
	"odradek.dev/sdk/partitioner"
)

const (
	partitionTimeout = 100 * time.Millisecond
	// fallbackBatch is how many bytes of records without a key the fallback
	// leaves on one partition: the default of Kafka's batch.size.
	fallbackBatch = 16384
	// recordOverhead is about what a record takes beside its key, value and
	// headers.
	recordOverhead = 16
)

// Partitioner makes a partitioner module the partitioner of a franz-go client.
// The client asks record by record, so the module gets batches of one.
//
// A client shows a record that need not be consistent only the partitions that
// can be written to, by their positions among these: the topic that the module
// sees then has fewer partitions, and a partition's number is that position.
//
// The fallback places keys by murmur2 and records without a key batch by batch,
// as the Java client does.
func Partitioner(p partitioner.Partitioner, changes ...Option) kgo.Partitioner {
	o := settle(partitionTimeout, changes)
	return &clientPartitioner{module: p, options: o, failures: failures{log: o.log}}
}

type clientPartitioner struct {
	module   partitioner.Partitioner
	options  options
	failures failures
}

func (c *clientPartitioner) ForTopic(topic string) kgo.TopicPartitioner {
	return &topicPartitioner{
		client: c, batch: partitioner.Batch{Topic: partitioner.Topic{Name: topic}},
		fallback: kgo.StickyKeyPartitioner(nil).ForTopic(topic),
	}
}

// topicPartitioner is used by one goroutine at a time, as kgo promises.
type topicPartitioner struct {
	client   *clientPartitioner
	batch    partitioner.Batch
	fallback kgo.TopicPartitioner
	// sticking is the bytes that the fallback put on its current partition.
	sticking int
}

func (t *topicPartitioner) RequiresConsistency(r *kgo.Record) bool {
	return t.client.options.consistent(r)
}

func (t *topicPartitioner) Partition(r *kgo.Record, n int) int {
	partition, err := t.ask(r, int32(n))
	if t.client.failures.note(err, "as the Java client") != nil {
		return t.fallBack(r, n)
	}
	return int(partition)
}

// ask leaves the batch's memory for the next record: a module must not keep it.
func (t *topicPartitioner) ask(r *kgo.Record, n int32) (partition int32, err error) {
	defer module.Recovered(&err)
	t.batch.Keys.Reset()
	t.batch.Keys.Append(r.Key)
	t.batch.Sizes = append(t.batch.Sizes[:0], size(r))
	// Only the number of partitions ever changes, so it can stand for the epoch.
	t.batch.Topic.Partitions, t.batch.Topic.Epoch = n, int64(n)

	// Not the record's own context: that it ended is no failure of the module.
	ctx, cancel := context.WithTimeout(context.Background(), t.client.options.timeout)
	defer cancel()
	answer, err := t.client.module.Assign(ctx, t.batch)
	if err != nil {
		return 0, err
	}
	if err := partitioner.Check(t.batch, answer); err != nil {
		return 0, err
	}
	return answer[0], nil
}

func (t *topicPartitioner) fallBack(r *kgo.Record, n int) int {
	if t.sticking >= fallbackBatch {
		t.sticking = 0
		if next, ok := t.fallback.(kgo.TopicPartitionerOnNewBatch); ok {
			next.OnNewBatch()
		}
	}
	if r.Key == nil {
		t.sticking += int(size(r))
	}
	return t.fallback.Partition(r, n)
}

func size(r *kgo.Record) int32 {
	bytes := recordOverhead + len(r.Key) + len(r.Value)
	for _, h := range r.Headers {
		bytes += len(h.Key) + len(h.Value)
	}
	return int32(min(bytes, 1<<31-1))
}
