package kafkatools

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
	"golang.org/x/sync/errgroup"
)

// member is a consumer of franz-go that only is there: it commits nothing.
type member struct {
	group, client string
	// instance makes it static, and so its place in the group the same on both
	// brokers: ids of other members are random.
	instance string
	// consumer is set for the new group protocol.
	consumer bool
	// expression subscribes to the topics that match, in place of the shared one.
	expression string
}

// join starts the members on both brokers, each when the one before it has its
// partitions: then both groups go through the same epochs.
func (s *suite) join(ctx context.Context, one step) error {
	both := errgroup.Group{}
	for _, at := range []*side{&s.theirs, &s.ours} {
		both.Go(func() error {
			for _, m := range one.join {
				client, err := m.start(ctx, at.addr)
				if err != nil {
					return fmt.Errorf("member %s of group %s at %s: %w", m.client, m.group, at.addr, err)
				}
				at.members = append(at.members, client)
			}
			return nil
		})
	}
	return both.Wait()
}

func (m member) start(ctx context.Context, addr string) (*kgo.Client, error) {
	var assigned atomic.Bool
	options := []kgo.Opt{
		kgo.SeedBrokers(addr), kgo.ClientID(m.client), kgo.ConsumerGroup(m.group), kgo.ConsumeTopics(sharedTopic),
		kgo.Balancers(kgo.RangeBalancer()), kgo.DisableAutoCommit(), kgo.HeartbeatInterval(200 * time.Millisecond),
		kgo.OnPartitionsAssigned(func(_ context.Context, _ *kgo.Client, partitions map[string][]int32) {
			if len(partitions) > 0 {
				assigned.Store(true)
			}
		}),
	}
	if m.instance != "" {
		options = append(options, kgo.InstanceID(m.instance))
	}
	if m.consumer {
		options = append(options, kgo.ServerSideBalancer())
	}
	if m.expression != "" {
		options = append(options, kgo.ConsumeRegex(), kgo.ConsumeTopics(m.expression))
	}
	client, err := kgo.NewClient(options...)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for !assigned.Load() {
		select {
		case <-ctx.Done():
			client.Close()
			return nil, errors.New("it was assigned nothing within a minute")
		case <-time.After(5 * time.Millisecond):
		}
	}
	return client, nil
}
