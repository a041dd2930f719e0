package groups

import (
	"context"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

// startFranz joins with the new protocol if it is asked for. franz-go knows no
// assignor of the broker but uniform and range, so it asks for uniform.
func startFranz(s seat) (func() error, error) {
	var leaves []func() error
	for member := range s.members {
		name := s.member(member)
		options := []kgo.Opt{
			kgo.SeedBrokers(s.addr), kgo.ConsumerGroup(s.group), kgo.ConsumeTopics(s.topic), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()),
			kgo.BlockRebalanceOnPoll(), kgo.AutoCommitMarks(), kgo.HeartbeatInterval(500 * time.Millisecond),
			kgo.OnPartitionsRevoked(func(ctx context.Context, client *kgo.Client, _ map[string][]int32) {
				if err := client.CommitMarkedOffsets(ctx); err != nil {
					s.ledger.failed(name, err)
				}
			}),
		}
		if s.protocol == "consumer" {
			options = append(options, kgo.ServerSideBalancer())
		}
		client, err := kgo.NewClient(options...)
		if err != nil {
			return nil, err
		}
		leaves = append(leaves, pollFranz(client, name, s.ledger))
	}
	return together(leaves), nil
}

// pollFranz consumes until leave is called.
func pollFranz(client *kgo.Client, name string, l *ledger) (leave func() error) {
	ctx, cancel := context.WithCancel(context.Background())
	var polling sync.WaitGroup
	polling.Go(func() {
		for ctx.Err() == nil {
			fetches := client.PollFetches(ctx)
			for _, one := range fetches.Errors() {
				if ctx.Err() == nil {
					l.failed(name, one.Err)
				}
			}
			fetches.EachRecord(func(r *kgo.Record) {
				l.consumed(name, r.Partition, r.Offset)
				client.MarkCommitRecords(r)
			})
			client.AllowRebalance()
		}
	})
	return func() error {
		cancel()
		polling.Wait()
		client.CloseAllowingRebalance()
		return nil
	}
}
