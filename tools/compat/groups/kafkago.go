package groups

import (
	"context"
	"sync"
	"time"

	"github.com/segmentio/kafka-go"
)

// startKafkaGo has the classic protocol only.
func startKafkaGo(s seat) (func() error, error) {
	var leaves []func() error
	for member := range s.members {
		reader := kafka.NewReader(kafka.ReaderConfig{
			Brokers: []string{s.addr}, GroupID: s.group, Topic: s.topic, StartOffset: kafka.FirstOffset, MaxWait: 100 * time.Millisecond,
			CommitInterval: 200 * time.Millisecond,
		})
		leaves = append(leaves, readKafkaGo(reader, s.member(member), s.ledger))
	}
	return together(leaves), nil
}

// readKafkaGo reads until leave is called.
func readKafkaGo(reader *kafka.Reader, name string, l *ledger) (leave func() error) {
	ctx, cancel := context.WithCancel(context.Background())
	var reading sync.WaitGroup
	reading.Go(func() {
		for {
			message, err := reader.ReadMessage(ctx)
			if err != nil {
				if ctx.Err() == nil {
					l.failed(name, err)
				}
				return
			}
			l.consumed(name, int32(message.Partition), message.Offset)
		}
	})
	return func() error {
		cancel()
		reading.Wait()
		return reader.Close()
	}
}
