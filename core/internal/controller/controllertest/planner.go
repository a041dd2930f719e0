// Package controllertest has a controller that is small enough to see through,
// for the tests of what stands on it.
package controllertest

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"odradek.dev/core/internal/config"
	"odradek.dev/core/internal/metadata"
	"odradek.dev/core/internal/refusal"
	"odradek.dev/sdk/election"
	"odradek.dev/sdk/replication"
)

// Planner plans changes as the real controller does, and has no log. Its fields
// are set before it is used. Safe for concurrent use.
type Planner struct {
	Rules metadata.Rules
	// Told hears of every change before the image is shown, as a subscriber
	// does; nil if nobody wants to.
	Told func(old, next *metadata.Image) error
	// IDsFail is the error of AllocateProducerID.
	IDsFail error
	// Status and StatusFail are what Quorum answers.
	Status     election.Status
	StatusFail error

	mu       sync.Mutex
	image    atomic.Pointer[metadata.Image]
	ids      byte
	next     int64
	deadline time.Time
}

// New makes a planner with one broker, which leads every partition.
func New(b *config.Broker, self metadata.Broker, configs metadata.ConfigRules, told func(old, next *metadata.Image) error) *Planner {
	p := &Planner{Told: told}
	p.Rules = metadata.Rules{
		DefaultPartitions: b.NumPartitions, DefaultReplicationFactor: 1, Live: []int32{self.ID}, Configs: configs,
		Settle: func(overrides map[string]string) (metadata.Settled, error) {
			return metadata.Settled{Strategy: "isr", MinInSync: 1}, config.ValidateTopic(overrides)
		},
		Elect: func(_ context.Context, _ string, r replication.Record, _ replication.Liveness) (replication.Record, error) {
			r.Leader, r.Version, r.LeaderEpoch = self.ID, r.Version+1, r.LeaderEpoch+1
			return r, nil
		},
	}
	p.image.Store(metadata.Empty())
	p.Apply(metadata.NameCluster("cluster")...)
	p.Apply(metadata.RegisterBroker(p.Image(), self)...)
	return p
}

// Image is the newest that Told has heard of.
func (p *Planner) Image() *metadata.Image { return p.image.Load() }

// Apply makes records the newest of the metadata, as one change.
func (p *Planner) Apply(records ...metadata.Record) {
	old := p.Image()
	next := old
	for _, r := range records {
		var err error
		if next, err = metadata.Apply(next, next.Index()+1, r); err != nil {
			panic(err)
		}
	}
	if p.Told != nil {
		if err := p.Told(old, next); err != nil {
			panic(err)
		}
	}
	p.image.Store(next)
}

// SetPartition gives a partition another record.
func (p *Planner) SetPartition(id metadata.TopicID, number int32, to replication.Record) {
	p.Apply(PartitionChanged(id, number, to))
}

// PartitionChanged is the record of such a change.
func PartitionChanged(id metadata.TopicID, number int32, to replication.Record) *metadata.PartitionChanged {
	r := &metadata.PartitionChanged{TopicID: id, Partition: number}
	r.State.Version, r.State.Leader, r.State.LeaderEpoch = to.Version, to.Leader, to.LeaderEpoch
	r.State.Replicas, r.State.InSync, r.State.MinInSync = to.Replicas, to.InSync, to.MinInSync
	return r
}

// Hold keeps all changes waiting until release is called.
func (p *Planner) Hold() (release func()) {
	p.mu.Lock()
	return p.mu.Unlock
}

// Deadline is that of the last change that had one.
func (p *Planner) Deadline() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.deadline
}

func (p *Planner) change(ctx context.Context, dry bool, plan func(*metadata.Image) metadata.Plan) []metadata.TopicResult {
	p.mu.Lock()
	defer p.mu.Unlock()
	if deadline, ok := ctx.Deadline(); ok {
		p.deadline = deadline
	}
	planned := plan(p.Image())
	if !dry {
		p.Apply(planned.Records...)
	}
	return planned.Results
}

// CreateTopics is the controller's.
func (p *Planner) CreateTopics(ctx context.Context, topics []metadata.NewTopic, dry bool) []metadata.TopicResult {
	return p.change(ctx, dry, func(i *metadata.Image) metadata.Plan {
		for n := range topics {
			p.ids++
			topics[n].ID = metadata.TopicID{15: p.ids}
		}
		return metadata.CreateTopics(ctx, i, p.Rules, topics)
	})
}

// DeleteTopics is the controller's.
func (p *Planner) DeleteTopics(ctx context.Context, topics []metadata.TopicRef) []metadata.TopicResult {
	return p.change(ctx, false, func(i *metadata.Image) metadata.Plan { return metadata.DeleteTopics(i, topics) })
}

// CreatePartitions is the controller's.
func (p *Planner) CreatePartitions(ctx context.Context, asked []metadata.NewPartitions, dry bool) []metadata.TopicResult {
	return p.change(ctx, dry, func(i *metadata.Image) metadata.Plan { return metadata.CreatePartitions(ctx, i, p.Rules, asked) })
}

// AlterConfigs is the controller's.
func (p *Planner) AlterConfigs(ctx context.Context, changes []metadata.ConfigChange, dry bool) (failures []*refusal.Refusal) {
	p.change(ctx, dry, func(i *metadata.Image) (plan metadata.Plan) {
		plan.Records, failures = metadata.AlterConfigs(i, p.Rules, changes)
		return plan
	})
	return failures
}

// UpdateFeatures is the controller's.
func (p *Planner) UpdateFeatures(ctx context.Context, updates []metadata.FeatureUpdate, dry bool) (refused *refusal.Refusal) {
	p.change(ctx, dry, func(i *metadata.Image) (plan metadata.Plan) {
		plan.Records, refused = metadata.UpdateFeatures(i, updates)
		return plan
	})
	return refused
}

// AllocateProducerID is the controller's.
func (p *Planner) AllocateProducerID(context.Context) (int64, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.next++
	return p.next, p.IDsFail
}

// Quorum is the controller's.
func (p *Planner) Quorum(context.Context) (election.Status, error) { return p.Status, p.StatusFail }
