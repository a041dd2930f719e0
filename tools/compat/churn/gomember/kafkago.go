package main

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/segmentio/kafka-go"

	"odradek.dev/tools/compat/churn/event"
)

// commitEvery is how often a partition of kafka-go is committed, which reads
// one record at a time.
const commitEvery = 100 * time.Millisecond

func consumeKafkaGo(ctx context.Context, m membership, r *reporter) (err error) {
	group, err := kafka.NewConsumerGroup(kafka.ConsumerGroupConfig{
		ID: m.group, Brokers: []string{m.addr}, Topics: []string{m.topic}, StartOffset: kafka.FirstOffset,
		GroupBalancers: []kafka.GroupBalancer{kafka.RangeGroupBalancer{}}, JoinGroupBackoff: 200 * time.Millisecond,
		HeartbeatInterval: m.session / 6, SessionTimeout: m.session, RebalanceTimeout: m.rebalance, Timeout: m.rebalance + commitWithin,
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, group.Close()) }()
	for ctx.Err() == nil {
		generation, err := group.Next(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			r.failed(err)
		default:
			startGeneration(m, generation, r)
		}
	}
	return nil
}

// startGeneration consumes until the generation is over.
func startGeneration(m membership, g *kafka.Generation, r *reporter) {
	assigned := event.Event{Kind: event.Assigned, Member: g.MemberID, Generation: g.ID}
	for _, a := range g.Assignments[m.topic] {
		assigned.Partitions = append(assigned.Partitions, int32(a.ID))
	}
	r.report(assigned)
	var readers sync.WaitGroup
	for _, a := range g.Assignments[m.topic] {
		readers.Add(1)
		g.Start(func(ctx context.Context) {
			defer readers.Done()
			if err := readPartition(ctx, m, g, a, r); err != nil {
				r.failed(err)
			}
		})
	}
	g.Start(func(ctx context.Context) {
		<-ctx.Done()
		readers.Wait()
		revoked := assigned
		revoked.Kind = event.Revoked
		r.report(revoked)
	})
}

func readPartition(ctx context.Context, m membership, g *kafka.Generation, a kafka.PartitionAssignment, r *reporter) (err error) {
	reader := kafka.NewReader(kafka.ReaderConfig{Brokers: []string{m.addr}, Topic: m.topic, Partition: a.ID, MaxWait: 100 * time.Millisecond})
	defer func() { err = errors.Join(err, reader.Close()) }()
	if err := reader.SetOffset(a.Offset); err != nil {
		return err
	}
	held := uncommitted{partition: a.ID, topic: m.topic, since: time.Now()}
	for {
		message, err := fetchOne(ctx, reader)
		switch {
		case ctx.Err() != nil:
			held.commit(g, r)
			return nil
		case errors.Is(err, context.DeadlineExceeded):
			held.commit(g, r)
			continue
		case err != nil:
			return err
		}
		r.records(int32(a.ID), []int64{message.Offset})
		held.next = message.Offset + 1
		if time.Since(held.since) >= commitEvery {
			held.commit(g, r)
		}
	}
}

// fetchOne gives up when it is time to commit.
func fetchOne(ctx context.Context, reader *kafka.Reader) (kafka.Message, error) {
	ctx, cancel := context.WithTimeout(ctx, commitEvery)
	defer cancel()
	return reader.FetchMessage(ctx)
}

// uncommitted is how far a partition is processed.
type uncommitted struct {
	topic     string
	partition int
	// next is the offset to commit, 0 if there is nothing to.
	next  int64
	since time.Time
}

func (u *uncommitted) commit(g *kafka.Generation, r *reporter) {
	if u.next > 0 {
		r.commit(map[int32]int64{int32(u.partition): u.next}, func() error {
			return g.CommitOffsets(map[string]map[int]int64{u.topic: {u.partition: u.next}})
		})
	}
	u.next, u.since = 0, time.Now()
}
