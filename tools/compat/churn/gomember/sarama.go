package main

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/IBM/sarama"

	"odradek.dev/tools/compat/churn/event"
)

func consumeSarama(ctx context.Context, m membership, r *reporter) (err error) {
	config := sarama.NewConfig()
	config.Version = sarama.MaxVersion
	config.Consumer.Offsets.Initial = sarama.OffsetOldest
	config.Consumer.Return.Errors = true
	config.Consumer.MaxWaitTime = 100 * time.Millisecond
	config.Consumer.Group.Session.Timeout = m.session
	config.Consumer.Group.Heartbeat.Interval = m.session / 6
	config.Consumer.Group.Rebalance.Timeout = m.rebalance
	config.Consumer.Group.Rebalance.GroupStrategies = []sarama.BalanceStrategy{sarama.NewBalanceStrategyRange()}
	group, err := newSaramaGroup(ctx, m, config, r)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, group.Close()) }()
	go func() {
		for err := range group.Errors() {
			r.failed(err)
		}
	}()
	for ctx.Err() == nil {
		if err := group.Consume(ctx, []string{m.topic}, &saramaHandler{topic: m.topic, reporter: r}); err != nil {
			r.failed(err)
			pause(ctx)
		}
	}
	return nil
}

// newSaramaGroup tries again while the broker is away: unlike the other
// libraries sarama asks it before anything else.
func newSaramaGroup(ctx context.Context, m membership, config *sarama.Config, r *reporter) (sarama.ConsumerGroup, error) {
	for {
		group, err := sarama.NewConsumerGroup([]string{m.addr}, m.group, config)
		if err == nil || ctx.Err() != nil {
			return group, err
		}
		r.failed(err)
		pause(ctx)
	}
}

// pause keeps a member from trying again and again.
func pause(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-time.After(200 * time.Millisecond):
	}
}

type saramaHandler struct {
	*reporter
	topic string
}

func (h *saramaHandler) Setup(s sarama.ConsumerGroupSession) error {
	h.tell(event.Assigned, s)
	return nil
}

func (h *saramaHandler) Cleanup(s sarama.ConsumerGroupSession) error {
	h.tell(event.Revoked, s)
	return nil
}

func (h *saramaHandler) tell(kind string, s sarama.ConsumerGroupSession) {
	h.report(event.Event{Kind: kind, Member: s.MemberID(), Generation: s.GenerationID(), Partitions: slices.Clone(s.Claims()[h.topic])})
}

// ConsumeClaim commits without hearing whether it succeeded: sarama does not
// say. So the member reports no committed offset, only that it tries.
func (h *saramaHandler) ConsumeClaim(s sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for message := range claim.Messages() {
		offsets := []int64{message.Offset}
		for len(claim.Messages()) > 0 {
			if more := <-claim.Messages(); more != nil {
				offsets = append(offsets, more.Offset)
			}
		}
		h.records(claim.Partition(), offsets)
		next := offsets[len(offsets)-1] + 1
		h.report(event.Event{Kind: event.Committing, Partition: claim.Partition(), Offset: next})
		s.MarkOffset(h.topic, claim.Partition(), next, "")
		s.Commit()
	}
	return nil
}
