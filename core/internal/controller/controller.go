package controller

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"odradek.dev/core/internal/metadata"
	"odradek.dev/sdk/deadline"
	"odradek.dev/sdk/election"
	"odradek.dev/sdk/module"
)

// Controller is this broker's view of the metadata, and the way to change it.
// Safe for concurrent use.
type Controller struct {
	options Options
	image   atomic.Pointer[metadata.Image]
	// turn holds a token while a change is under way.
	turn chan struct{}
	ids  producerIDs

	// life ends with Stop.
	life     context.Context
	end      context.CancelFunc
	running  sync.WaitGroup
	snapshot snapshotter

	// publishing is held while subscribers are called. mu is not, so that one
	// that takes its time does not hold up those who only ask.
	publishing sync.Mutex
	// In publishing.
	subscribers []Subscriber

	mu sync.Mutex
	// In mu.
	progress progress
	// moved is closed, and replaced, when progress changes.
	moved chan struct{}
}

// progress is how far the follower has come.
type progress struct {
	// applied is the index of the image that all subscribers have seen.
	applied    int64
	leadership election.Leadership
	// catchUp is the index at which this broker, if it leads, knows all that
	// was written before it did.
	catchUp int64
	// tainted is an epoch under which an append ended without an answer. What
	// it wrote may yet come, so nothing can be planned before a new epoch says
	// that it has come or never will.
	tainted int64
	// taintedBy is the error of that append.
	taintedBy error
	// failed is why the log is followed no more.
	failed error
}

// Subscriber sees each image after the one before it. Its error is logged: the
// log has decided, and a subscriber has to live with it.
type Subscriber func(old, new *metadata.Image) error

// New makes a controller that has not started.
func New(o Options) *Controller {
	if o.SnapshotRecords == 0 {
		o.SnapshotRecords = defaultSnapshotRecords
	}
	if o.SnapshotBytes == 0 {
		o.SnapshotBytes = defaultSnapshotBytes
	}
	c := &Controller{options: o, turn: make(chan struct{}, 1), moved: make(chan struct{})}
	c.life, c.end = context.WithCancel(context.Background())
	c.image.Store(metadata.Empty())
	c.progress.leadership.Leader = -1
	c.progress.tainted = -1
	return c
}

// Start follows the log and returns when this broker leads, has caught up, has
// named the cluster if nobody had, and is registered in it.
func (c *Controller) Start(ctx context.Context) error {
	c.running.Go(c.follow)
	if err := c.begin(ctx); err != nil {
		c.end()
		c.running.Wait()
		return err
	}
	return nil
}

// begin tries again under the next epoch if the log takes no change for now.
func (c *Controller) begin(ctx context.Context) error {
	for {
		if err := c.join(ctx); !errors.Is(err, election.ErrStalled) {
			return err
		}
	}
}

// join waits until this broker may plan changes, and registers it.
func (c *Controller) join(ctx context.Context) error {
	if err := c.wait(ctx, func(p *progress) bool { return c.leads(p) }); err != nil {
		return module.Retriablef("no controller was elected: %w", err)
	}
	if c.Image().ClusterID() == "" && c.options.MayFound != nil {
		if err := c.options.MayFound(); err != nil {
			return err
		}
	}
	id, err := randomID(c.options.Random)
	if err != nil {
		return err
	}
	self := metadata.Broker{ID: c.options.Config.NodeID, Rack: c.options.Config.Rack, Listeners: c.options.Endpoints}
	_, err = change(ctx, c, func(i *metadata.Image) (records []metadata.Record, _ struct{}) {
		if i.ClusterID() == "" {
			records = metadata.NameCluster(id.String())
		}
		return append(records, metadata.RegisterBroker(i, self)...), struct{}{}
	})
	return err
}

// Stop follows no more and waits until nothing of the controller runs. The
// election module is stopped after it.
func (c *Controller) Stop(ctx context.Context) error {
	c.end()
	stopped := make(chan struct{})
	go func() {
		// The turn is not given back: nothing begins any more.
		c.turn <- struct{}{}
		c.running.Wait()
		close(stopped)
	}()
	if _, came := deadline.Await(ctx, stopped); !came {
		return module.Retriablef("the controller did not stop in time: %w", ctx.Err())
	}
	return nil
}

// Image is the newest that all subscribers have seen.
func (c *Controller) Image() *metadata.Image { return c.image.Load() }

// Subscribe calls s with an empty image and the present one, and from then on
// with each that follows, one at a time, before a request that led to it is
// answered. It returns the error of the first call, and then does not
// subscribe.
func (c *Controller) Subscribe(s Subscriber) error {
	c.publishing.Lock()
	defer c.publishing.Unlock()
	if err := s(metadata.Empty(), c.image.Load()); err != nil {
		return err
	}
	c.subscribers = append(c.subscribers, s)
	return nil
}

// leads reports whether this broker may plan changes. The caller holds mu.
func (c *Controller) leads(p *progress) bool {
	return p.leadership.Leader == c.options.Config.NodeID && p.applied >= p.catchUp && p.leadership.Epoch != p.tainted
}

// wait returns when reached, the log has failed, or the context ends.
func (c *Controller) wait(ctx context.Context, reached func(*progress) bool) error {
	for {
		c.mu.Lock()
		done, failed, moved := reached(&c.progress), c.progress.failed, c.moved
		c.mu.Unlock()
		switch {
		case done:
			return nil
		case failed != nil:
			return failed
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// move changes the progress and wakes all that wait. The caller holds mu.
func (c *Controller) move(change func(*progress)) {
	change(&c.progress)
	close(c.moved)
	c.moved = make(chan struct{})
}
