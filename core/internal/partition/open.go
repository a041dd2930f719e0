package partition

import (
	"context"
	"fmt"

	"github.com/hashicorp/go-hclog"

	"odradek.dev/sdk/replication"
	"odradek.dev/sdk/storage"
)

// open opens the log in dir and starts the machine of the replica. When it
// errs the partition is offline, but there: its topic has it.
func (h *host) open(ctx context.Context, dir string, id storage.ID, strategy string, s *settings, r replication.Record) (*Partition, error) {
	p := &Partition{id: id, dir: dir, host: h, record: r, strategy: strategy}
	p.settings.Store(s)
	p.role.Store(&Role{Leader: -1, Epoch: r.LeaderEpoch})
	p.producers.expireMs = s.expireMs
	p.mu.Lock()
	defer p.mu.Unlock()
	return p, p.begin(ctx)
}

// begin opens the log and starts the machine. If what is in the way passes by
// itself, it is tried again. mu is held.
func (p *Partition) begin(ctx context.Context) error {
	err := p.host.dirs.serves(p)
	if err == nil {
		err = p.openLog(ctx)
	}
	if err == nil {
		err = p.openMachine(ctx, p.strategy)
	}
	switch {
	case err == nil || p.failure != nil:
	case p.log == nil && passes(err):
		p.awaitRoom(err)
	default:
		p.fail(err)
	}
	p.compactSoon()
	return err
}

func (p *Partition) openLog(ctx context.Context) error {
	log, recovered, err := p.host.Engine.Open(ctx, storage.Open{Dir: p.dir, ID: p.id, Config: p.settings.Load().logOf(p.id)})
	if err != nil {
		return fmt.Errorf("cannot open the log: %w", err)
	}
	p.log = log
	p.wasCompacted(recovered.Compacted)
	if recovered.TruncatedBytes > 0 || recovered.RebuiltIndexes > 0 {
		level := hclog.Debug // every log has its indexes made anew after a crash
		if recovered.TruncatedBytes > 0 {
			level = hclog.Warn
		}
		p.host.Log.Log(level, "log was mended", "topic", p.id.Topic, "partition", p.id.Partition,
			"truncated_bytes", recovered.TruncatedBytes, "rebuilt_indexes", recovered.RebuiltIndexes)
	}
	bounds, err := log.Bounds(ctx)
	if err != nil {
		return fmt.Errorf("cannot read the bounds of the log: %w", err)
	}
	p.start.Store(bounds.Start)
	p.visible.Store(bounds.Start)
	p.end.Store(bounds.End)
	p.flush.durable, p.flush.gate = bounds.Durable, 0
	return p.rebuildProducers()
}

func (p *Partition) openMachine(ctx context.Context, name string) error {
	strategy, ok := p.host.Strategies[name]
	if !ok {
		return fmt.Errorf("replication strategy %q is not among the modules of this broker", name)
	}
	view, err := p.logView(ctx)
	if err != nil {
		return err
	}
	hard, err := p.log.LoadHard(ctx)
	if err != nil {
		return fmt.Errorf("cannot load the replication state: %w", err)
	}
	p.machine, err = strategy.Open(ctx, replication.Start{
		Self: p.host.Config.NodeID, Record: p.record, Log: view, Hard: hard, Seed: p.host.Seed + uint64(p.id.Partition),
	})
	if err != nil {
		return fmt.Errorf("cannot start the replication strategy: %w", err)
	}
	p.step(p.host.Clock.Now(), replication.Event{Kind: replication.EventRecord, Record: &p.record})
	if p.failure != nil {
		return p.failure
	}
	return nil
}

func (p *Partition) logView(ctx context.Context) (replication.LogView, error) {
	bounds, err := p.log.Bounds(ctx)
	if err != nil {
		return replication.LogView{}, fmt.Errorf("cannot read the bounds of the log: %w", err)
	}
	epochs, err := p.log.Epochs(ctx)
	if err != nil {
		return replication.LogView{}, fmt.Errorf("cannot read the leader epochs of the log: %w", err)
	}
	view := replication.LogView{Start: bounds.Start, Durable: bounds.Durable, End: bounds.End}
	for _, e := range epochs {
		view.Epochs = append(view.Epochs, replication.EpochStart{Epoch: e.Epoch, Start: e.Start})
	}
	return view, nil
}
