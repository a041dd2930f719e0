package partition

import (
	"context"
	"errors"
	"fmt"
	"math"

	"odradek.dev/sdk/module"
	"odradek.dev/sdk/record"
	"odradek.dev/sdk/storage"
)

// compactBytes is how much of a log compaction reads, and writes, at once; a
// batch may be larger.
const compactBytes = 1 << 20

// compact compacts the log as far as it is time to, and returns when to look
// again, in milliseconds, though no segment is rolled. It is called by one
// caller at a time, and holds appends up only while a finished segment takes
// its place.
func (p *Partition) compact(ctx context.Context) (nextMs int64) {
	for ctx.Err() == nil {
		s := p.settings.Load()
		if !s.compaction.compacts || p.Failure() != nil || p.compacted.unsupported {
			return math.MaxInt64
		}
		next, err := p.compactOnce(ctx, s)
		switch {
		case err != nil:
			p.compactionFailed(ctx, err)
			return next.nextMs
		case next.upTo == 0:
			return next.nextMs
		}
	}
	return math.MaxInt64
}

// compactOnce makes one pass, if it is time to. After an error it is tried again
// when the next segment is rolled, or when a full disk may have room again.
func (p *Partition) compactOnce(ctx context.Context, s *settings) (pass, error) {
	none := pass{nextMs: math.MaxInt64}
	segments, err := p.log.Segments(p.host.ctx())
	if err != nil {
		return none, err
	}
	l := logState{segments: segments, start: p.start.Load(), visible: p.visible.Load()}
	p.compacted.dirty = max(p.compacted.dirty, l.start)
	nowMs := p.host.Clock.Now().UnixMilli()
	firstMs, err := p.firstDirtyMs(s.compaction)
	if err != nil {
		return none, err
	}
	next := s.compaction.plan(l, p.compacted, firstMs, nowMs)
	if next.upTo == 0 {
		return next, nil
	}
	err = p.compactTo(ctx, s, l, next.upTo, nowMs)
	if module.ClassOf(err) == module.Retriable {
		none.nextMs = saturatingAdd(nowMs, s.compaction.backoffMs)
	}
	if err != nil {
		return none, err
	}
	return next, nil
}

// compactSoon has the log looked at, if it is one that is compacted.
func (p *Partition) compactSoon() {
	if p.settings.Load().compaction.compacts {
		p.host.cleaner.lookAt(p, p.host.Clock.Now().UnixMilli())
	}
}

// wasCompacted takes over what the log knows of an earlier life. Which tombstones
// it has is not known: they are looked at once all of them may go.
func (p *Partition) wasCompacted(upTo int64) {
	p.compacted = compacted{dirty: upTo, horizonMs: math.MaxInt64}
	if upTo > 0 {
		p.compacted.horizonMs = saturatingAdd(p.host.Clock.Now().UnixMilli(), p.settings.Load().compaction.deleteRetentionMs)
	}
}

// firstDirtyMs is the time of the first batch that no pass has seen, which
// matters only with a max.compaction.lag.ms.
func (p *Partition) firstDirtyMs(c compaction) (ms int64, err error) {
	ms = math.MaxInt64
	if c.maxLagMs == math.MaxInt64 || p.compacted.dirty >= p.visible.Load() {
		return ms, nil
	}
	chunk, err := p.log.Read(p.host.ctx(), storage.Read{Offset: p.compacted.dirty, Before: p.visible.Load(), MaxBytes: 1})
	if err != nil || len(chunk.Extents) == 0 {
		return ms, err
	}
	err = p.eachHeader(chunk.Extents[0], func(b record.Batch) { ms = min(ms, b.MaxTimestamp()) })
	return ms, err
}

// compactTo makes one pass over the segments below upTo: first it finds the
// newest offset of each key in what is dirty, and then it writes each run of
// segments anew without what they are newer than.
func (p *Partition) compactTo(ctx context.Context, s *settings, l logState, upTo, nowMs int64) error {
	if bounds, err := p.log.Bounds(p.host.ctx()); err != nil {
		return err
	} else if bounds.Durable < upTo {
		if _, err := p.log.Sync(p.host.ctx()); err != nil {
			return err
		}
	}
	newest := &newestOffsets{byKey: make(map[[16]byte]int64), most: s.compaction.keys, upTo: p.compacted.dirty}
	if err := p.findNewest(ctx, newest, upTo, s.rules.budget); err != nil {
		return err
	}
	kept := &survivors{
		newest: newest, nowMs: nowMs, deleteRetentionMs: s.compaction.deleteRetentionMs,
		lastOf: p.lastOffsets(nowMs), codecs: p.host.codecs, levels: s.levels, budget: s.rules.budget, horizonMs: math.MaxInt64,
	}
	groups := s.compaction.groups(l.segments[:len(l.segments)-1], newest.upTo)
	for i, group := range groups {
		part := storage.Rewrite{From: group[0].Base, To: group[len(group)-1].End, First: true}
		if i == len(groups)-1 {
			part.Compacted = newest.upTo
		}
		if err := p.rewrite(ctx, kept, part); err != nil {
			return err
		}
	}
	p.compacted = compacted{dirty: newest.upTo, horizonMs: kept.horizonMs}
	p.host.Log.Debug("log is compacted", "topic", p.id.Topic, "partition", p.id.Partition, "up_to", newest.upTo,
		"new_keys", len(newest.byKey), "bytes", p.Bytes())
	return nil
}

// findNewest stops early when there are more keys than one pass can know.
func (p *Partition) findNewest(ctx context.Context, n *newestOffsets, upTo int64, budget int) error {
	from := n.upTo
	_, err := p.eachBatch(ctx, from, upTo, func(b record.Batch) error {
		opened, err := p.host.codecs.open(b, budget)
		if err != nil {
			return fmt.Errorf("decompress the batch at offset %d: %w", b.BaseOffset(), err)
		}
		defer p.host.codecs.close(opened)
		return n.noteBatch(b, opened.records, from)
	})
	if errors.Is(err, errManyKeys) {
		return nil
	}
	n.upTo = upTo
	return err
}

// lastOffsets is for [survivors].
func (p *Partition) lastOffsets(nowMs int64) map[int64]int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	last := make(map[int64]int64, len(p.producers.byID))
	for id, known := range p.producers.byID {
		if known.count > 0 && !p.producers.expired(known, nowMs) {
			last[id] = known.batches[0].lastOffset
		}
	}
	return last
}

// rewrite writes a run of segments anew as one, a part at a time, of which it is
// given the first without batches.
func (p *Partition) rewrite(ctx context.Context, kept *survivors, part storage.Rewrite) error {
	send := func() error {
		err := p.log.Rewrite(p.host.ctx(), part)
		part.First, part.Batches = false, part.Batches[:0]
		return err
	}
	files, err := p.eachBatch(ctx, part.From, part.To, func(b record.Batch) error {
		var err error
		part.Batches, err = kept.appendKept(part.Batches, b, b.LastOffset()+1 == part.To)
		if err != nil || len(part.Batches) < compactBytes {
			return err
		}
		return send()
	})
	if err == nil {
		err = send()
	}
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failure != nil {
		return p.failure
	}
	part.Last = true
	p.host.files.Replace(files)
	err = send()
	p.host.files.Replaced(files, err == nil)
	if err != nil && module.ClassOf(err) == module.Fatal {
		p.fail(fmt.Errorf("cannot replace segments by a compacted one: %w", err))
	}
	return err
}

// eachBatch visits the batches from the one that holds from to the last below
// to, and returns the files that they are in. A batch is visit's only until it
// returns. One that is damaged ends it: it must not get a new checksum, nor take
// the place of others by its base offset, which no checksum covers.
func (p *Partition) eachBatch(ctx context.Context, from, to int64, visit func(record.Batch) error) (files []uint64, err error) {
	var buffer []byte
	for begun := false; from < to; {
		if err := ctx.Err(); err != nil {
			return files, err
		}
		chunk, err := p.log.Read(p.host.ctx(), storage.Read{Offset: max(from, p.start.Load()), Before: to, MaxBytes: compactBytes})
		if err != nil || len(chunk.Extents) == 0 {
			return files, err
		}
		for _, e := range chunk.Extents {
			if e.Data == nil && (len(files) == 0 || files[len(files)-1] != e.File.ID) {
				files = append(files, e.File.ID)
			}
		}
		if buffer, err = p.appendChunk(buffer[:0], chunk); err != nil {
			return files, err
		}
		batch, rest, whole := record.Next(buffer)
		if !whole {
			return files, storage.ErrCorrupt.With("no batch at offset %d of %s-%d", from, p.id.Topic, p.id.Partition)
		}
		for ; whole; batch, rest, whole = record.Next(rest) {
			misplaced := batch.LastOffset() < from || batch.LastOffset() >= to || begun && batch.BaseOffset() < from
			if misplaced || !batch.CRCValid() {
				return files, storage.ErrCorrupt.With("batch at offset %d of %s-%d", batch.BaseOffset(), p.id.Topic, p.id.Partition)
			}
			if err := visit(batch); err != nil {
				return files, err
			}
			from, begun = batch.LastOffset()+1, true
		}
	}
	return files, nil
}

// compactionFailed tells of what is not the end of the log or of the broker.
func (p *Partition) compactionFailed(ctx context.Context, err error) {
	if ctx.Err() != nil || p.host.noteDirectory(p.dir, err) || errors.Is(err, storage.ErrClosed) || p.Failure() != nil {
		return
	}
	p.compacted.unsupported = errors.Is(err, storage.ErrNotSupported)
	p.host.Log.Warn("log cannot be compacted now", "topic", p.id.Topic, "partition", p.id.Partition, "error", err)
}
