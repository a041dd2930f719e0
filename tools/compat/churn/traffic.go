package churn

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

// recordsAtOnce records are sent to each partition every sendEvery.
const (
	recordsAtOnce = 2
	sendEvery     = 50 * time.Millisecond
)

// traffic is the producer beside the members.
type traffic struct {
	client *kgo.Client
	stop   context.CancelFunc
	done   chan struct{}

	mu sync.Mutex
	// next is the offset after the last acknowledged record of each partition.
	next    map[int32]int64
	failure error
}

func startTraffic(ctx context.Context, addr string) (*traffic, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(addr), kgo.RecordPartitioner(kgo.ManualPartitioner()), kgo.DefaultProduceTopic(topic))
	if err != nil {
		return nil, err
	}
	t := &traffic{client: client, done: make(chan struct{}), next: make(map[int32]int64)}
	ctx, t.stop = context.WithCancel(ctx)
	go t.run(ctx)
	return t, nil
}

func (t *traffic) run(ctx context.Context) {
	defer close(t.done)
	for ticks := time.NewTicker(sendEvery); ; {
		select {
		case <-ctx.Done():
			ticks.Stop()
			return
		case <-ticks.C:
		}
		for partition := range int32(partitions) {
			for range recordsAtOnce {
				record := &kgo.Record{Partition: partition, Value: []byte("churned")}
				t.client.Produce(context.WithoutCancel(ctx), record, t.acknowledged)
			}
		}
	}
}

func (t *traffic) acknowledged(record *kgo.Record, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err != nil {
		t.failure = fmt.Errorf("the producer gave a record up: %w", err)
		return
	}
	t.next[record.Partition] = max(t.next[record.Partition], record.Offset+1)
}

// end sends what is left and returns where each partition ends. Every record
// that was acknowledged is before that.
func (t *traffic) end(ctx context.Context) (map[int32]int64, error) {
	defer t.client.Close()
	t.stop()
	<-t.done
	if err := t.client.Flush(ctx); err != nil {
		return nil, err
	}
	ends, err := endOffsets(ctx, kadm.NewClient(t.client))
	if err = errors.Join(err, t.failure); err != nil {
		return nil, err
	}
	for partition := range int32(partitions) {
		if end := ends[partition]; end < t.next[partition] || end == 0 {
			return nil, fmt.Errorf("partition %d ends at %d, and %d records were acknowledged", partition, end, t.next[partition])
		}
	}
	return ends, nil
}

// endOffsets asks for the offset after the last record of each partition.
func endOffsets(ctx context.Context, client *kadm.Client) (map[int32]int64, error) {
	listed, err := client.ListEndOffsets(ctx, topic)
	if err = errors.Join(err, listed.Error()); err != nil {
		return nil, err
	}
	ends := make(map[int32]int64)
	listed.Each(func(end kadm.ListedOffset) { ends[end.Partition] = end.Offset })
	return ends, nil
}
