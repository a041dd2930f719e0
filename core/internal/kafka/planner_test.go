package kafka

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/stretchr/testify/require"

	"odradek.dev/core/internal/config"
	"odradek.dev/core/internal/metadata"
	"odradek.dev/core/internal/refusal"
	"odradek.dev/sdk/election"
	"odradek.dev/sdk/replication"
)

// planner is a Controller that plans as the real one does, and has no log.
type planner struct {
	rules metadata.Rules
	// told hears of every change; nil if nobody wants to.
	told func(old, next *metadata.Image) error

	mu    sync.Mutex
	image atomic.Pointer[metadata.Image]
	ids   byte
	// next and idsFail are what AllocateProducerID answers.
	next    int64
	idsFail error
	// quorum and quorumFail are what Quorum answers.
	quorum     election.Status
	quorumFail error
	// left is the time that the last call was given.
	left time.Duration
}

// newPlanner has one broker, which leads every partition.
func newPlanner(b *config.Broker, self metadata.Broker, told func(old, next *metadata.Image) error) *planner {
	p := &planner{told: told}
	p.rules = metadata.Rules{
		DefaultPartitions: b.NumPartitions, DefaultReplicationFactor: 1, Live: []int32{self.ID}, Configs: configRules(),
		Settle: func(overrides map[string]string) (metadata.Settled, error) {
			return metadata.Settled{Strategy: "isr", MinInSync: 1}, config.ValidateTopic(overrides)
		},
		Elect: func(_ context.Context, _ string, r replication.Record, _ replication.Liveness) (replication.Record, error) {
			r.Leader, r.Version, r.LeaderEpoch = self.ID, r.Version+1, r.LeaderEpoch+1
			return r, nil
		},
	}
	p.image.Store(metadata.Empty())
	p.apply(&metadata.ClusterNamed{ClusterID: "cluster"})
	p.apply(metadata.RegisterBroker(p.Image(), self)...)
	return p
}

func (p *planner) Image() *metadata.Image { return p.image.Load() }

func (p *planner) apply(records ...metadata.Record) {
	old := p.Image()
	next := old
	for _, r := range records {
		var err error
		if next, err = metadata.Apply(next, next.Index()+1, r); err != nil {
			panic(err)
		}
	}
	if p.told != nil {
		if err := p.told(old, next); err != nil {
			panic(err)
		}
	}
	p.image.Store(next)
}

func (p *planner) change(ctx context.Context, dry bool, plan func(*metadata.Image) metadata.Plan) []metadata.TopicResult {
	p.mu.Lock()
	defer p.mu.Unlock()
	if deadline, ok := ctx.Deadline(); ok {
		p.left = time.Until(deadline)
	}
	planned := plan(p.Image())
	if !dry {
		p.apply(planned.Records...)
	}
	return planned.Results
}

func (p *planner) CreateTopics(ctx context.Context, topics []metadata.NewTopic, dry bool) []metadata.TopicResult {
	return p.change(ctx, dry, func(i *metadata.Image) metadata.Plan {
		for n := range topics {
			p.ids++
			topics[n].ID = metadata.TopicID{15: p.ids}
		}
		return metadata.CreateTopics(ctx, i, p.rules, topics)
	})
}

func (p *planner) DeleteTopics(ctx context.Context, topics []metadata.TopicRef) []metadata.TopicResult {
	return p.change(ctx, false, func(i *metadata.Image) metadata.Plan { return metadata.DeleteTopics(i, topics) })
}

func (p *planner) CreatePartitions(ctx context.Context, asked []metadata.NewPartitions, dry bool) []metadata.TopicResult {
	return p.change(ctx, dry, func(i *metadata.Image) metadata.Plan { return metadata.CreatePartitions(ctx, i, p.rules, asked) })
}

func (p *planner) AlterConfigs(ctx context.Context, changes []metadata.ConfigChange, dry bool) (failures []*refusal.Refusal) {
	p.change(ctx, dry, func(i *metadata.Image) (plan metadata.Plan) {
		plan.Records, failures = metadata.AlterConfigs(i, p.rules, changes)
		return plan
	})
	return failures
}

func (p *planner) AllocateProducerID(context.Context) (int64, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.next++
	return p.next, p.idsFail
}

func (p *planner) Quorum(context.Context) (election.Status, error) { return p.quorum, p.quorumFail }

// planned is a backend over a planner, with broker 7 registered.
func planned(t *testing.T) (*Backend, *planner) {
	broker := config.Default()
	broker.NodeID, broker.NumPartitions = 7, 3
	p := newPlanner(&broker, metadata.Broker{ID: 7, Rack: "r", Listeners: []metadata.Endpoint{
		{Listener: "PLAINTEXT", Host: "outside", Port: 9092}, {Listener: "INTERNAL", Host: "inside", Port: 9093},
	}}, nil)
	return &Backend{Config: &broker, Controller: p, Log: hclog.NewNullLogger()}, p
}

func (p *planner) create(t *testing.T, names ...string) {
	var topics []metadata.NewTopic
	for _, name := range names {
		topics = append(topics, metadata.NewTopic{Name: name, Partitions: 2, ReplicationFactor: 1})
	}
	for _, r := range p.CreateTopics(t.Context(), topics, false) {
		require.Nil(t, r.Refusal)
	}
}
