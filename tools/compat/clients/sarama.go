package clients

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/IBM/sarama"

	"odradek.dev/tools/compat/sample"
)

type saramaClient struct{}

func (saramaClient) close() error { return nil }

var saramaCodecs = map[string]sarama.CompressionCodec{
	"none": sarama.CompressionNone, "gzip": sarama.CompressionGZIP, "snappy": sarama.CompressionSnappy,
	"lz4": sarama.CompressionLZ4, "zstd": sarama.CompressionZSTD,
}

func saramaConfig() *sarama.Config {
	config := sarama.NewConfig()
	config.Version = sarama.MaxVersion
	config.Producer.Return.Successes = true
	config.Producer.Partitioner = sarama.NewManualPartitioner
	config.Producer.MaxMessageBytes = 2*sample.LargeValue - 1000
	config.Consumer.Return.Errors = true
	return config
}

func (saramaClient) write(_ context.Context, addr, topic, codec string, records []sample.Record) (err error) {
	config := saramaConfig()
	config.Producer.Compression = saramaCodecs[codec]
	producer, err := sarama.NewSyncProducer([]string{addr}, config)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, producer.Close()) }()
	var messages []*sarama.ProducerMessage
	for _, one := range records {
		message := &sarama.ProducerMessage{Topic: topic, Timestamp: time.UnixMilli(one.Timestamp)}
		if one.Key != nil {
			message.Key = sarama.ByteEncoder(one.Key)
		}
		if one.Value != nil {
			message.Value = sarama.ByteEncoder(one.Value)
		}
		for _, header := range one.Headers {
			message.Headers = append(message.Headers, sarama.RecordHeader{Key: []byte(header.Name), Value: header.Value})
		}
		messages = append(messages, message)
	}
	return producer.SendMessages(messages)
}

func (saramaClient) read(ctx context.Context, addr, topic string, count int) (records []sample.Record, err error) {
	consumer, err := sarama.NewConsumer([]string{addr}, saramaConfig())
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, consumer.Close()) }()
	partition, err := consumer.ConsumePartition(topic, 0, sarama.OffsetOldest)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, partition.Close()) }()
	for len(records) < count {
		select {
		case message := <-partition.Messages():
			records = append(records, fromSarama(message))
		case failure := <-partition.Errors():
			return nil, failure
		case <-ctx.Done():
			return nil, fmt.Errorf("after %d records: %w", len(records), ctx.Err())
		}
	}
	return records, nil
}

func fromSarama(m *sarama.ConsumerMessage) sample.Record {
	record := sample.Record{Offset: m.Offset, Timestamp: m.Timestamp.UnixMilli(), Key: m.Key, Value: m.Value}
	for _, header := range m.Headers {
		record.Headers = append(record.Headers, sample.Header{Name: string(header.Key), Value: header.Value})
	}
	return record
}
