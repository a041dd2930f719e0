package coordinator

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/config"
	"odradek.dev/core/internal/group"
	"odradek.dev/core/internal/group/step"
	"odradek.dev/core/internal/metadata"
	"odradek.dev/core/internal/partition"
	"odradek.dev/core/internal/refusal"
	"odradek.dev/sdk/assignor"
	"odradek.dev/sdk/clock"
)

// Topic is where groups and offsets are kept.
const Topic = metadata.GroupsTopic

// Options is what a [Coordinator] is made of. None may be missing but the last.
type Options struct {
	// Config is what the broker was started with; what is set while it runs is
	// in the metadata.
	Config     *config.Broker
	Controller Controller
	Partitions *partition.Registry
	// Assign computes an assignment by the assignor of that name. It has a
	// deadline of its own. fallback says that another assignor had to do it.
	Assign func(ctx context.Context, name string, snapshot assignor.Snapshot) (a assignor.Assignment, fallback bool, err error)
	// NewID draws an identity: the random part of a member id.
	NewID func() string
	Clock clock.Clock
	Log   hclog.Logger
	// Observer may be nil.
	Observer Observer
}

// Controller is the metadata, and the way to create a topic.
type Controller interface {
	Image() *metadata.Image
	CreateTopics(ctx context.Context, topics []metadata.NewTopic, validateOnly bool) []metadata.TopicResult
}

// Coordinator coordinates the groups of this broker. Safe for concurrent use.
type Coordinator struct {
	Options
	// context ends with Stop; loads, assignments and resolutions run under it.
	context   context.Context
	cancel    context.CancelFunc
	work      work
	resolver  resolver
	timepiece timepiece
	batches   batchRooms

	// shards are by partition of the topic; nil before there is one. A slice is
	// not changed once it is here.
	shards atomic.Pointer[[]*shard]
	// mu is held while the shards follow an image.
	mu      sync.Mutex
	stopped bool // in mu
	// creating is held by who creates the topic. uncreated is why that failed
	// last, and createAt when it is tried again.
	creating  sync.Mutex
	uncreated *refusal.Refusal // in creating
	createAt  time.Time        // in creating
}

// New makes a coordinator that follows no image yet.
func New(o Options) *Coordinator {
	c := &Coordinator{Options: o, resolver: newResolver(o.Clock), timepiece: newTimepiece(o.Clock.Now())}
	c.context, c.cancel = context.WithCancel(context.Background())
	return c
}

// Stop ends all work. What waits for an answer is told that the coordinator is
// another one now.
func (c *Coordinator) Stop() {
	c.mu.Lock()
	c.stopped = true
	c.mu.Unlock()
	for _, s := range c.all() {
		s.stop()
	}
	// Not before: what is cancelled would be an answer to those that wait.
	c.cancel()
	c.work.stop()
}

// Do gives a request to the coordinator of its group. done is called once, now
// or later, perhaps before Do returns and perhaps in another goroutine; it must
// not block. The response has no version yet.
func (c *Coordinator) Do(groupID string, from step.Client, q kmsg.Request, done func(kmsg.Response)) {
	s := c.shardOf(groupID)
	if s == nil {
		done(group.Refuse(q, kerr.CoordinatorNotAvailable))
		return
	}
	s.handle(from, q, done)
}

// List is the groups of this broker that a request asks for. kind is nil
// unless some of them are not loaded yet.
func (c *Coordinator) List(q *kmsg.ListGroupsRequest) (groups []kmsg.ListGroupsResponseGroup, kind *kerr.Error) {
	for _, s := range c.all() {
		found, err := s.list(q)
		if err != nil {
			kind = err
		}
		groups = append(groups, found...)
	}
	return groups, kind
}

func (c *Coordinator) all() []*shard {
	if shards := c.shards.Load(); shards != nil {
		return *shards
	}
	return nil
}

// shardOf is nil as long as the topic is not there.
func (c *Coordinator) shardOf(groupID string) *shard {
	shards := c.all()
	if len(shards) == 0 {
		return nil
	}
	return shards[partitionFor(groupID, len(shards))]
}
