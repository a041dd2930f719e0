package partition

import (
	"errors"
	"fmt"

	"odradek.dev/sdk/record"
	"odradek.dev/sdk/storage"
)

// Found is an offset found by time. The zero offset with ok false is none.
type Found struct {
	Offset      int64
	TimestampMs int64
	Epoch       int32
}

// lookupBytes is how much of a log a lookup by time reads at once.
const lookupBytes = 1 << 20

var errStopWalk = errors.New("found")

// ErrUnopened is the error of a lookup that needs a codec which failed.
var ErrUnopened = errors.New("cannot decompress the batch")

// OffsetAt finds the first visible record whose timestamp is at least ms.
func (p *Partition) OffsetAt(ms int64) (found Found, ok bool, err error) {
	before := p.visible.Load()
	at, ok, err := p.log.SeekTime(p.host.ctx(), ms, before)
	if err != nil || !ok {
		p.host.noteDirectory(p.dir, err)
		return Found{}, false, err
	}
	return p.scan(at.BaseOffset, before, ms)
}

// OffsetOfMax finds the first visible record with the largest timestamp.
func (p *Partition) OffsetOfMax() (found Found, ok bool, err error) {
	before := p.visible.Load()
	at, ok, err := p.log.MaxTime(p.host.ctx(), before)
	if err != nil || !ok {
		p.host.noteDirectory(p.dir, err)
		return Found{}, false, err
	}
	return p.scan(at.BaseOffset, before, at.Timestamp)
}

// scan goes through the batches from one on. Mostly the first has what is
// looked for; not if the log was trimmed within it.
func (p *Partition) scan(offset, before, ms int64) (Found, bool, error) {
	var buffer []byte
	for offset < before {
		var err error
		buffer, err = p.appendLookup(buffer[:0], offset, before)
		if isGone(err) {
			buffer, err = p.appendLookup(buffer[:0], offset, before)
		}
		if err != nil || len(buffer) == 0 {
			return Found{}, false, err
		}
		batch, rest, whole := record.Next(buffer)
		if !whole {
			return Found{}, false, storage.ErrCorrupt.With("no batch at offset %d of %s-%d", offset, p.id.Topic, p.id.Partition)
		}
		for ; whole; batch, rest, whole = record.Next(rest) {
			if batch.LastOffset() < offset || batch.BaseOffset() >= before {
				return Found{}, false, storage.ErrCorrupt.With("batch of offset %d where %d is looked for in %s-%d",
					batch.BaseOffset(), offset, p.id.Topic, p.id.Partition)
			}
			if found, ok, err := p.within(batch, ms); ok || err != nil {
				return found, ok, err
			}
			offset = batch.LastOffset() + 1
		}
	}
	return Found{}, false, nil
}

// appendLookup reads batches behind dst; none at the end of the log.
func (p *Partition) appendLookup(dst []byte, offset, before int64) ([]byte, error) {
	// The batch that is looked at first may begin below the log start.
	chunk, err := p.log.Read(p.host.ctx(), storage.Read{Offset: max(offset, p.start.Load()), Before: before, MaxBytes: lookupBytes, PastDamage: true})
	if err != nil {
		return dst, err
	}
	return p.appendChunk(dst, chunk)
}

// within finds the first record of one batch at or after ms, opening the batch
// only if its header says that there is one.
func (p *Partition) within(b record.Batch, ms int64) (found Found, ok bool, err error) {
	if b.MaxTimestamp() < ms || b.LastOffset() < p.start.Load() {
		return Found{}, false, nil
	}
	whole := b.RecordCount() == b.LastOffsetDelta()+1 // or else compacted
	if b.LogAppendTime() && whole {
		return Found{Offset: max(b.BaseOffset(), p.start.Load()), TimestampMs: b.MaxTimestamp(), Epoch: b.LeaderEpoch()}, true, nil
	}
	if !b.CRCValid() {
		return Found{}, false, storage.ErrCorrupt.With("batch at offset %d of %s-%d", b.BaseOffset(), p.id.Topic, p.id.Partition)
	}
	open, err := p.host.codecs.open(b, p.settings.Load().rules.budget)
	if err != nil {
		return Found{}, false, fmt.Errorf("%w at offset %d: %w", ErrUnopened, b.BaseOffset(), err)
	}
	defer p.host.codecs.close(open)
	err = record.Walk(open.records, b.RecordCount(), func(r record.Record) error {
		offset, timestamp := b.BaseOffset()+int64(r.OffsetDelta), b.BaseTimestamp()+r.TimestampDelta
		if b.LogAppendTime() {
			timestamp = b.MaxTimestamp()
		}
		if timestamp < ms || offset < p.start.Load() {
			return nil
		}
		found, ok = Found{Offset: offset, TimestampMs: timestamp, Epoch: b.LeaderEpoch()}, true
		return errStopWalk
	})
	if errors.Is(err, errStopWalk) {
		err = nil
	}
	return found, ok, err
}
