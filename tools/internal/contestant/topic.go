package contestant

import (
	"context"
	"errors"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

// leadersPoll is how often a broker is asked whether a topic is ready.
const leadersPoll = 50 * time.Millisecond

// CreateTopic makes a topic of one replica, and returns its id when all of its
// partitions have leaders.
func (p *Process) CreateTopic(ctx context.Context, topic string, partitions int32) (id [16]byte, err error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(p.Addr))
	if err != nil {
		return id, err
	}
	defer client.Close()
	admin := kadm.NewClient(client)
	created, err := admin.CreateTopic(ctx, partitions, 1, nil, topic)
	if err != nil {
		return id, err
	}
	for {
		offsets, err := admin.ListEndOffsets(ctx, topic)
		if err == nil && offsets.Error() == nil && len(offsets[topic]) == int(partitions) {
			return created.ID, nil
		}
		select {
		case <-ctx.Done():
			return id, errors.Join(ctx.Err(), err)
		case <-time.After(leadersPoll):
		}
	}
}
