package clients

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/segmentio/kafka-go"

	"odradek.dev/tools/compat/sample"
)

type kafkaGo struct{}

func (kafkaGo) close() error { return nil }

var kafkaGoCodecs = map[string]kafka.Compression{"none": 0, "gzip": kafka.Gzip, "snappy": kafka.Snappy, "lz4": kafka.Lz4, "zstd": kafka.Zstd}

func (kafkaGo) write(ctx context.Context, addr, topic, codec string, records []sample.Record) (err error) {
	// A transport that is shared would not know the new topic yet.
	transport := &kafka.Transport{}
	defer transport.CloseIdleConnections()
	writer := &kafka.Writer{
		Transport: transport, Addr: kafka.TCP(addr), Topic: topic, Compression: kafkaGoCodecs[codec], RequiredAcks: kafka.RequireAll,
		BatchBytes: 2*sample.LargeValue - 1000, BatchTimeout: 5 * time.Millisecond,
	}
	defer func() { err = errors.Join(err, writer.Close()) }()
	var messages []kafka.Message
	for _, one := range records {
		message := kafka.Message{Key: one.Key, Value: one.Value, Time: time.UnixMilli(one.Timestamp)}
		for _, header := range one.Headers {
			message.Headers = append(message.Headers, kafka.Header{Key: header.Name, Value: header.Value})
		}
		messages = append(messages, message)
	}
	return writer.WriteMessages(ctx, messages...)
}

func (kafkaGo) read(ctx context.Context, addr, topic string, count int) (records []sample.Record, err error) {
	reader := kafka.NewReader(kafka.ReaderConfig{Brokers: []string{addr}, Topic: topic, Partition: 0, MinBytes: 1, MaxBytes: 4 << 20, MaxWait: 100 * time.Millisecond})
	defer func() { err = errors.Join(err, reader.Close()) }()
	for len(records) < count {
		message, err := reader.ReadMessage(ctx)
		if err != nil {
			return nil, fmt.Errorf("after %d records: %w", len(records), err)
		}
		record := sample.Record{Offset: message.Offset, Timestamp: message.Time.UnixMilli(), Key: message.Key, Value: message.Value}
		for _, header := range message.Headers {
			record.Headers = append(record.Headers, sample.Header{Name: header.Key, Value: header.Value})
		}
		records = append(records, record)
	}
	return records, nil
}
