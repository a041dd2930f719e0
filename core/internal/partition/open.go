package partition

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/go-hclog"

	"odradek.dev/core/internal/refusal"
	"odradek.dev/sdk/record"
	"odradek.dev/sdk/replication"
	"odradek.dev/sdk/storage"
)

// open opens the log in dir and starts the machine of the replica. When it
// errs the partition is offline, but there: its topic has it.
func (h *host) open(ctx context.Context, dir string, id storage.ID, strategy string, s *settings, r replication.Record) (*Partition, error) {
	p := &Partition{id: id, dir: dir, host: h, record: r}
	p.settings.Store(s)
	p.role.Store(&Role{Leader: -1, Epoch: r.LeaderEpoch})
	p.producers.expireMs = s.expireMs
	p.mu.Lock()
	defer p.mu.Unlock()
	err := h.dirs.serves(p)
	if err == nil {
		err = p.openLog(ctx)
	}
	if err == nil {
		err = p.openMachine(ctx, strategy)
	}
	if err != nil && p.failure == nil {
		p.fail(err)
	}
	p.compactSoon()
	return p, err
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

// replayBytes is how much of the log one step of a replay names. Only the
// headers in it are read.
const replayBytes = 256 << 20

// rebuildProducers makes the producer state from the newest kept one and the
// batches after it.
func (p *Partition) rebuildProducers() error {
	now := p.host.Clock.Now().UnixMilli()
	from := p.start.Load()
	p.producers.byID = nil
	at, err := p.loadProducers(now)
	if err != nil {
		return err
	}
	from = max(from, at)
	p.stateKept, p.unkept = from, 0
	for from < p.end.Load() {
		next, err := p.replay(from, now)
		if errors.Is(err, storage.ErrCorrupt) {
			// What is intact is served all the same. Of producers that wrote behind
			// the damage and not since, duplicates cannot be told any more.
			p.host.Log.Error("log is damaged; the producer state has nothing of what follows",
				"topic", p.id.Topic, "partition", p.id.Partition, "offset", next, "error", err)
			break
		}
		if err != nil {
			return fmt.Errorf("cannot make the producer state from the log: %w", err)
		}
		if next <= from {
			break
		}
		from = next
	}
	return nil
}

// loadProducers takes the newest kept state that is whole, and returns the
// offset that it is of; -1 if there is none.
func (p *Partition) loadProducers(nowMs int64) (int64, error) {
	for upTo := p.end.Load(); ; {
		at, state, ok, err := p.log.LoadState(p.host.ctx(), upTo)
		if err != nil {
			return -1, fmt.Errorf("cannot load the producer state: %w", err)
		}
		if !ok {
			return -1, nil
		}
		if err = p.producers.load(state, nowMs); err == nil {
			return at, nil
		}
		p.host.Log.Warn("producer state is damaged and is made from an older one and the log",
			"topic", p.id.Topic, "partition", p.id.Partition, "offset", at, "error", err)
		upTo = at - 1
	}
}

// replay applies the batches of one read and returns the offset after them.
func (p *Partition) replay(from, now int64) (int64, error) {
	chunk, err := p.log.Read(p.host.ctx(), storage.Read{Offset: from, Before: p.end.Load(), MaxBytes: replayBytes, PastDamage: true})
	if err != nil {
		return from, err
	}
	next := from
	for _, e := range chunk.Extents {
		err := p.eachHeader(e, func(b record.Batch) {
			if b.BaseOffset() >= from {
				p.producers.apply(b, now)
				p.unkept += int64(b.Size())
			}
			next = b.LastOffset() + 1
		})
		if err != nil {
			return next, err
		}
	}
	return next, nil
}

// eachHeader visits the headers of the batches that begin in an extent.
func (p *Partition) eachHeader(e storage.Extent, visit func(record.Batch)) error {
	var buffer [record.HeaderSize]byte
	for at := int64(0); at+record.HeaderSize <= e.Length; {
		header := buffer[:]
		if e.Data != nil {
			header = e.Data[at : at+record.HeaderSize]
		} else if err := p.readAt(header, e.File, e.Position+at); err != nil {
			return err
		}
		b := record.Batch(header)
		if b.Magic() != 2 || b.Size() < record.HeaderSize || b.LastOffsetDelta() < 0 {
			return storage.ErrCorrupt.With("no batch at position %d of %s", e.Position+at, e.File.Path)
		}
		if at+int64(b.Size()) > e.Length {
			return nil
		}
		visit(b)
		at += int64(b.Size())
	}
	return nil
}

// saveProducers keeps the state as of offset, if a batch came since it was last
// kept. It can always be made from the log again, so that a failure costs time
// at the next start and nothing else.
func (p *Partition) saveProducers(offset, nowMs int64) {
	if offset == p.stateKept {
		return
	}
	if err := p.log.SaveState(p.host.ctx(), offset, p.producers.snapshot(nowMs)); err != nil {
		p.host.Log.Warn("cannot keep the producer state", "topic", p.id.Topic, "partition", p.id.Partition, "error", err)
		return
	}
	p.stateKept, p.unkept = offset, 0
}

// change gives the partition another record and configuration.
func (p *Partition) change(s *settings, r replication.Record) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failure != nil {
		return nil
	}
	if next := s.logOf(p.id); next != p.settings.Load().logOf(p.id) {
		if err := p.log.Configure(p.host.ctx(), next); err != nil {
			return fmt.Errorf("cannot configure the log of %s-%d: %w", p.id.Topic, p.id.Partition, err)
		}
	}
	p.settings.Store(s)
	p.compactSoon()
	p.producers.expireMs = s.expireMs
	if r.Version > p.record.Version {
		p.record = r
		p.step(p.host.Clock.Now(), replication.Event{Kind: replication.EventRecord, Record: &p.record})
	}
	return nil
}

// finish ends the service with an answer for all that come. The log stays open.
func (p *Partition) finish(answer *refusal.Refusal) (clean bool) {
	p.mu.Lock()
	clean = p.failure == nil
	p.retire(answer)
	p.mu.Unlock()
	p.host.cleaner.forget(p)
	p.background.Wait()
	return clean
}

// replayedSooner is how many bytes of batches are sooner gone over at the next
// start than their producer state is written now, in a stop of many partitions.
const replayedSooner = 8 << 10

// leave ends the service and leaves the log for its directory to close, with
// the producer state as of its end.
func (p *Partition) leave(answer *refusal.Refusal) {
	if p.finish(answer) && (p.unkept > replayedSooner || p.stateKept < p.start.Load()) {
		p.saveProducers(p.end.Load(), p.host.Clock.Now().UnixMilli())
	}
}

// close ends the service and closes the log, which is to be removed.
func (p *Partition) close(ctx context.Context, answer *refusal.Refusal) error {
	p.finish(answer)
	if p.log == nil {
		return nil
	}
	p.host.files.DropOwner(p)
	if p.host.dirs.failure(p.dir) != nil {
		return nil // the directory is let go with all its logs
	}
	if err := p.log.Close(ctx); err != nil {
		return fmt.Errorf("cannot close the log of %s-%d: %w", p.id.Topic, p.id.Partition, err)
	}
	return nil
}
