package groups

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	"odradek.dev/plugins/assignor/uniform"
	"odradek.dev/sdk/kgoadapter"
)

// startFranz joins with the new protocol if it is asked for. franz-go knows no
// assignor of the broker but uniform and range, so it asks for uniform.
func startFranz(s seat) (func() error, error) {
	var leaves []func() error
	for member := range s.members {
		name := s.member(member)
		client, err := kgo.NewClient(append(s.franzOptions(name),
			kgo.SeedBrokers(s.addr), kgo.ConsumerGroup(s.group), kgo.ConsumeTopics(s.topic), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()),
			kgo.ClientID(name), kgo.BlockRebalanceOnPoll(), kgo.HeartbeatInterval(500*time.Millisecond))...)
		if err != nil {
			return nil, errors.Join(err, together(leaves)())
		}
		leaves = append(leaves, s.pollFranz(client, name))
	}
	return together(leaves), nil
}

func (s seat) franzOptions(name string) (options []kgo.Opt) {
	if s.protocol == "consumer" {
		options = append(options, kgo.ServerSideBalancer())
	} else if s.weight != "" {
		options = append(options, kgo.Balancers(kgoadapter.Balancer("weighted", uniform.New(), kgoadapter.UserData(func() []byte { return []byte(s.weight) }))))
	}
	if s.commitsNothing {
		return append(options, kgo.DisableAutoCommit())
	}
	if s.moves {
		options = append(options, kgo.AutoCommitInterval(100*time.Millisecond))
	}
	return append(options, kgo.AutoCommitMarks(), kgo.OnPartitionsRevoked(func(ctx context.Context, client *kgo.Client, _ map[string][]int32) {
		s.franzFailed(name, client.CommitMarkedOffsets(ctx))
	}))
}

func (s seat) franzFailed(name string, err error) {
	moved := errors.Is(err, kerr.IllegalGeneration) || errors.Is(err, kerr.RebalanceInProgress)
	if err != nil && !(s.moves && moved) {
		s.ledger.failed(name, err)
	}
}

// pollFranz consumes until leave is called.
func (s seat) pollFranz(client *kgo.Client, name string) (leave func() error) {
	ctx, cancel := context.WithCancel(context.Background())
	var polling sync.WaitGroup
	polling.Go(func() {
		for ctx.Err() == nil {
			fetches := client.PollFetches(ctx)
			for _, one := range fetches.Errors() {
				if ctx.Err() == nil {
					s.franzFailed(name, one.Err)
				}
			}
			fetches.EachRecord(func(r *kgo.Record) {
				s.ledger.consumed(name, r.Partition, r.Offset)
				if !s.commitsNothing {
					client.MarkCommitRecords(r)
				}
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
