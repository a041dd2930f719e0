package partition

import (
	"errors"
	"fmt"

	"odradek.dev/sdk/record"
	"odradek.dev/sdk/storage"
)

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
