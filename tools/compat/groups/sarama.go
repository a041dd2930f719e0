package groups

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/IBM/sarama"
)

// startSarama has the classic protocol only.
func startSarama(s seat) (func() error, error) {
	config := sarama.NewConfig()
	config.Version = sarama.MaxVersion
	config.Consumer.Offsets.Initial = sarama.OffsetOldest
	config.Consumer.MaxWaitTime = 100 * time.Millisecond
	// As Kafka's own consumer. By itself it has ten seconds, which a machine that
	// others use may stand still for.
	config.Consumer.Group.Session.Timeout = 45 * time.Second
	config.Consumer.Return.Errors = true
	var leaves []func() error
	for member := range s.members {
		group, err := sarama.NewConsumerGroup([]string{s.addr}, s.group, config)
		if err != nil {
			return nil, err
		}
		leaves = append(leaves, consumeSarama(group, s.topic, saramaMember{s.member(member), s.ledger}))
	}
	return together(leaves), nil
}

// consumeSarama joins again after each rebalance, until leave is called.
func consumeSarama(group sarama.ConsumerGroup, topic string, m saramaMember) (leave func() error) {
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() {
		for ctx.Err() == nil {
			if err := group.Consume(ctx, []string{topic}, m); err != nil && ctx.Err() == nil {
				m.ledger.failed(m.name, err)
			}
		}
	})
	running.Go(func() {
		for err := range group.Errors() {
			if !errors.Is(err, context.Canceled) {
				m.ledger.failed(m.name, err)
			}
		}
	})
	return func() error {
		cancel()
		err := group.Close()
		running.Wait()
		return err
	}
}

type saramaMember struct {
	name   string
	ledger *ledger
}

func (saramaMember) Setup(sarama.ConsumerGroupSession) error   { return nil }
func (saramaMember) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (m saramaMember) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for {
		select {
		case message, open := <-claim.Messages():
			if !open {
				return nil
			}
			m.ledger.consumed(m.name, message.Partition, message.Offset)
			session.MarkMessage(message, "")
		case <-session.Context().Done():
			return nil
		}
	}
}
