package sample

import (
	"context"
	"fmt"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

// maxBytes is what clients may send and fetch in one go.
const maxBytes = 4 << 20

// Codecs are the names of the codecs that every broker has.
var Codecs = []string{"none", "gzip", "snappy", "lz4", "zstd"}

var franzCodecs = map[string]kgo.CompressionCodec{
	"none": kgo.NoCompression(), "gzip": kgo.GzipCompression(), "snappy": kgo.SnappyCompression(), "lz4": kgo.Lz4Compression(), "zstd": kgo.ZstdCompression(),
}

// CreateTopic makes a topic of one partition that takes large records.
func CreateTopic(ctx context.Context, addr, topic string, configs map[string]string) error {
	client, err := kgo.NewClient(kgo.SeedBrokers(addr))
	if err != nil {
		return err
	}
	defer client.Close()
	all := map[string]*string{
		"max.message.bytes": kadm.StringPtr(fmt.Sprint(2 * LargeValue)),
		// The records are years old, and are not to expire before they are read.
		"retention.ms": kadm.StringPtr("-1"),
	}
	for name, value := range configs {
		all[name] = &value
	}
	_, err = kadm.NewClient(client).CreateTopic(ctx, 1, 1, all, topic)
	return err
}

// Write appends the records to partition 0, in order.
func Write(ctx context.Context, addr, topic, codec string, records []Record) error {
	client, err := kgo.NewClient(kgo.SeedBrokers(addr), kgo.ProducerBatchCompression(franzCodecs[codec]),
		kgo.ProducerBatchMaxBytes(2*LargeValue-1000), kgo.RecordPartitioner(kgo.ManualPartitioner()))
	if err != nil {
		return err
	}
	defer client.Close()
	var all []*kgo.Record
	for _, one := range records {
		record := &kgo.Record{Topic: topic, Timestamp: time.UnixMilli(one.Timestamp), Key: one.Key, Value: one.Value}
		for _, header := range one.Headers {
			record.Headers = append(record.Headers, kgo.RecordHeader{Key: header.Name, Value: header.Value})
		}
		all = append(all, record)
	}
	return client.ProduceSync(ctx, all...).FirstErr()
}

// Alter sets a config of the topic.
func Alter(ctx context.Context, addr, topic, name, value string) error {
	client, err := kgo.NewClient(kgo.SeedBrokers(addr))
	if err != nil {
		return err
	}
	defer client.Close()
	answers, err := kadm.NewClient(client).AlterTopicConfigs(ctx, []kadm.AlterConfig{{Name: name, Value: &value}}, topic)
	if err != nil {
		return err
	}
	_, err = answers.On(topic, func(r *kadm.AlterConfigsResponse) error { return r.Err })
	return err
}

// End is the offset after the last record of partition 0.
func End(ctx context.Context, addr, topic string) (int64, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(addr))
	if err != nil {
		return 0, err
	}
	defer client.Close()
	offsets, err := kadm.NewClient(client).ListEndOffsets(ctx, topic)
	if err != nil {
		return 0, err
	}
	end, found := offsets.Lookup(topic, 0)
	if !found {
		return 0, fmt.Errorf("topic %s has no partition 0", topic)
	}
	return end.Offset, end.Err
}

// Read returns every record of partition 0. Of a compacted one the last record
// is there always.
func Read(ctx context.Context, addr, topic string) ([]Record, error) {
	end, err := End(ctx, addr, topic)
	if err != nil {
		return nil, err
	}
	client, err := kgo.NewClient(kgo.SeedBrokers(addr), kgo.FetchMaxPartitionBytes(maxBytes),
		kgo.ConsumePartitions(map[string]map[int32]kgo.Offset{topic: {0: kgo.NewOffset().AtStart()}}))
	if err != nil {
		return nil, err
	}
	defer client.Close()
	var all []Record
	for next := int64(0); next < end; {
		fetches := client.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			return nil, fmt.Errorf("after %d records of %s: %w", len(all), topic, err)
		}
		fetches.EachRecord(func(r *kgo.Record) {
			all = append(all, fromFranz(r))
			next = r.Offset + 1
		})
	}
	return all, nil
}

func fromFranz(r *kgo.Record) Record {
	record := Record{Offset: r.Offset, Timestamp: r.Timestamp.UnixMilli(), Key: r.Key, Value: r.Value}
	for _, header := range r.Headers {
		record.Headers = append(record.Headers, Header{Name: header.Key, Value: header.Value})
	}
	return record
}
