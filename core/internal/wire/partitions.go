package wire

import (
	"context"
	"errors"
	"sync"

	"github.com/hashicorp/go-hclog"
	"github.com/prometheus/client_golang/prometheus"

	"odradek.dev/core/internal/config"
	"odradek.dev/core/internal/metadata"
	"odradek.dev/core/internal/metrics"
	"odradek.dev/core/internal/partition"
	"odradek.dev/sdk/clock"
)

// partitions is the partitions of this broker over the storage engine.
type partitions struct {
	registry *partition.Registry
	control  *control
	state    *state
	options  func() partition.Options

	// mu is held while the registry follows an image, and while it closes.
	mu     sync.Mutex
	closed bool // in mu
}

func newPartitions(
	l life, b *config.Broker, m *modules, k *control, st *state, log hclog.Logger, c clock.Clock, r prometheus.Registerer,
	failed failures,
) *partitions {
	p := &partitions{control: k, state: st}
	p.options = func() partition.Options {
		return partition.Options{
			Config: b, Engine: m.guarded.Engine(), Strategies: m.guarded.Strategies(), Decompress: m.guarded.Decompress,
			Compress: m.guarded.Compress, Clock: c, Log: log.Named("partition"), Seed: newSeed(),
			YieldFiles: m.yieldFiles, Failed: failed.report,
		}
	}
	metrics.RegisterLogs(r, p.stats)
	l.hook(p.start, p.stop)
	return p
}

// start mounts the log directories and opens every partition of the image; from
// then on it follows the image.
func (p *partitions) start(ctx context.Context) error {
	c := p.control.controller
	p.registry = partition.NewRegistry(p.options())
	// Before a directory that is of no cluster becomes one of this.
	if err := p.control.founding.agree(c.Image().ClusterID(), "the metadata log"); err != nil {
		return err
	}
	if err := p.registry.Mount(ctx, c.Image().ClusterID()); err != nil {
		return err
	}
	// Before a log is made: one that is in a directory which the metadata does
	// not know would not be missed with it.
	if err := c.KnowDirectories(ctx, p.registry.Directories(c.Image())); err != nil {
		return errors.Join(err, p.stop(ctx))
	}
	if err := c.Subscribe(p.apply); err != nil {
		return errors.Join(err, p.stop(ctx))
	}
	p.state.opened.Store(true)
	return nil
}

// apply follows no image once the registry is closed; the controller stops
// after it.
func (p *partitions) apply(old, next *metadata.Image) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil
	}
	return p.registry.Apply(old, next)
}

func (p *partitions) stop(ctx context.Context) error {
	p.state.opened.Store(false)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	return p.registry.Close(ctx)
}

func (p *partitions) stats() partition.Stats {
	if !p.state.opened.Load() {
		return partition.Stats{}
	}
	return p.registry.Stats()
}
