package main

import (
	"context"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"odradek.dev/tools/compat/churn/event"
)

// commitWithin bounds a commit, so that a broker that is gone does not keep
// the member from its rebalance.
const commitWithin = 3 * time.Second

func consumeFranz(ctx context.Context, m membership, r *reporter) error {
	tell := func(kind string) func(context.Context, *kgo.Client, map[string][]int32) {
		return func(_ context.Context, client *kgo.Client, partitions map[string][]int32) {
			member, generation := client.GroupMetadata()
			r.report(event.Event{Kind: kind, Member: member, Generation: generation, Partitions: partitions[m.topic]})
		}
	}
	opts := []kgo.Opt{
		kgo.SeedBrokers(m.addr), kgo.ConsumerGroup(m.group), kgo.ConsumeTopics(m.topic), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()),
		kgo.DisableAutoCommit(), kgo.BlockRebalanceOnPoll(), kgo.FetchMaxWait(100 * time.Millisecond), kgo.RebalanceTimeout(m.rebalance),
		kgo.OnPartitionsAssigned(tell(event.Assigned)), kgo.OnPartitionsRevoked(tell(event.Revoked)), kgo.OnPartitionsLost(tell(event.Lost)),
	}
	if m.protocol == "consumer" {
		opts = append(opts, kgo.ServerSideBalancer())
	} else {
		opts = append(opts, kgo.Balancers(kgo.RangeBalancer()), kgo.SessionTimeout(m.session), kgo.HeartbeatInterval(m.session/6))
	}
	client, err := kgo.NewClient(opts...)
	if err != nil {
		return err
	}
	defer client.CloseAllowingRebalance()
	for ctx.Err() == nil {
		pollFranz(ctx, client, r)
		client.AllowRebalance()
	}
	return nil
}

func pollFranz(ctx context.Context, client *kgo.Client, r *reporter) {
	fetches := client.PollRecords(ctx, 1000)
	if ctx.Err() != nil {
		return
	}
	fetches.EachError(func(_ string, _ int32, err error) { r.failed(err) })
	next := make(map[int32]int64)
	fetches.EachPartition(func(p kgo.FetchTopicPartition) {
		var offsets []int64
		p.EachRecord(func(record *kgo.Record) { offsets = append(offsets, record.Offset) })
		if len(offsets) > 0 {
			r.records(p.Partition, offsets)
			next[p.Partition] = offsets[len(offsets)-1] + 1
		}
	})
	if len(next) == 0 {
		return
	}
	r.commit(next, func() error {
		ctx, cancel := context.WithTimeout(ctx, commitWithin)
		defer cancel()
		return client.CommitRecords(ctx, fetches.Records()...)
	})
}
