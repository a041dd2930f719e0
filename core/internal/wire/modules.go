package wire

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/go-hclog"
	"github.com/prometheus/client_golang/prometheus"

	"odradek.dev/core/internal/config"
	"odradek.dev/core/internal/guard"
	"odradek.dev/core/internal/metrics"
	"odradek.dev/core/internal/wire/settings"
	"odradek.dev/core/internal/wire/supervise"
	"odradek.dev/sdk/assignor"
	"odradek.dev/sdk/clock"
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/partitioner"
	"odradek.dev/sdk/storage"
	"odradek.dev/sdk/vfs"
)

// modules is the modules that were chosen, running.
type modules struct {
	broker       *config.Broker
	choices      []settings.Choice
	distribution settings.Distribution
	log          hclog.Logger
	clock        clock.Clock
	fs           vfs.FS
	registerer   prometheus.Registerer

	// yielders keep files open that they need not have.
	yielders []storage.FileYielder
	// guarded is there after the start.
	guarded *guard.Set
	// subprocesses stop together, by one of stops.
	subprocesses []*supervise.Module
	// stops are called in reverse.
	stops []func(context.Context) error
}

func newModules(
	l life, b *config.Broker, choices []settings.Choice, factories settings.Distribution,
	log hclog.Logger, c clock.Clock, fs vfs.FS, r prometheus.Registerer,
) *modules {
	m := &modules{broker: b, choices: choices, distribution: factories, log: log, clock: c, fs: fs, registerer: r}
	l.hook(m.start, m.stop)
	return m
}

func (m *modules) start(ctx context.Context) error {
	err := m.startAll(ctx)
	if err != nil {
		return errors.Join(err, m.stop(ctx))
	}
	metrics.RegisterModules(m.registerer, m.guarded.Reports)
	return nil
}

func (m *modules) startAll(ctx context.Context) error {
	var running []guard.Module
	for _, choice := range m.choices {
		started, err := m.startOne(ctx, choice)
		if err != nil {
			return fmt.Errorf("%s: %w", choice.Where(), err)
		}
		running = append(running, started)
	}
	o := guard.Options{
		Log: m.log, Clock: m.clock, MaxDecompressed: config.MostDecompressedBytes,
		PartitionerTimeout: m.broker.PartitionerCallTimeout,
		AssignorTimeout:    m.broker.AssignorCallTimeout,
		CodecTimeout:       m.broker.CodecCallTimeout,
	}
	var err error
	if o.FallbackPartitioner, err = fallback[partitioner.Partitioner](ctx, m, module.Partitioner, guard.FallbackPartitionerName); err != nil {
		return err
	}
	if o.FallbackAssignor, err = fallback[assignor.Assignor](ctx, m, module.Assignor, guard.FallbackAssignorName); err != nil {
		return err
	}
	m.guarded, err = guard.New(running, o)
	return err
}

func (m *modules) startOne(ctx context.Context, c settings.Choice) (guard.Module, error) {
	if c.Binding == settings.Subprocess {
		return m.startSubprocess(ctx, c)
	}
	instance, err := m.startInProcess(ctx, *c.Factory, c.Settings)
	return guard.Module{Descriptor: c.Factory.Descriptor(), Binding: string(settings.InProcess), Instance: instance}, err
}

func (m *modules) startInProcess(ctx context.Context, f module.Factory, set map[string]any) (any, error) {
	d := f.Descriptor()
	env := module.Env{
		Log: m.log.Named(d.ID()), Clock: m.clock, FS: m.fs, Node: m.broker.NodeID, Seed: newSeed(),
	}
	if d.Kind == module.Election {
		env.Dir = electionDir(m.broker.MetadataLogDir, d.Name)
	}
	instance, err := f.New(env, set)
	if err != nil {
		return nil, err
	}
	if err := module.Start(ctx, instance); err != nil {
		return nil, err
	}
	if y, ok := instance.(storage.FileYielder); ok {
		m.yielders = append(m.yielders, y)
	}
	m.stops = append(m.stops, func(ctx context.Context) error {
		if err := module.Stop(ctx, instance); err != nil {
			return fmt.Errorf("module %s did not stop cleanly: %w", d.ID(), err)
		}
		return nil
	})
	return instance, nil
}

// fallback runs the built-in module that steps in for others of its kind, apart
// from any that was chosen; nothing in a distribution without it.
func fallback[T any](ctx context.Context, m *modules, kind module.Kind, name string) (T, error) {
	var none T
	f := m.distribution.Find(kind, name)
	if f == nil {
		return none, nil
	}
	instance, err := m.startInProcess(ctx, *f, nil)
	if err != nil {
		return none, fmt.Errorf("module %s, as the fallback: %w", f.Descriptor().ID(), err)
	}
	t, ok := instance.(T)
	if !ok {
		return none, module.Fatalf("module %s does not implement the contract of its kind", f.Descriptor().ID())
	}
	return t, nil
}

// yieldFiles has the modules of this process close up to n files that they need
// not have open, but not the last leave of each, and returns how many they have.
func (m *modules) yieldFiles(n, leave int) (closed int) {
	for _, y := range m.yielders {
		closed += y.YieldFiles(n-closed, leave)
	}
	return closed
}

func (m *modules) stop(ctx context.Context) error {
	var errs []error
	for i := len(m.stops) - 1; i >= 0; i-- {
		errs = append(errs, m.stops[i](ctx))
	}
	m.stops = nil
	return errors.Join(errs...)
}
