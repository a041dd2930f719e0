package partition

import (
	"fmt"
	"math"

	"odradek.dev/sdk/module"
	"odradek.dev/sdk/replication"
	"odradek.dev/sdk/storage"
)

// trimAtOnce is how many segments go while appends wait for the partition.
const trimAtOnce = 16

// looked is what the last look for segments to delete saw.
type looked struct {
	settings            *settings
	start, visible, end int64
}

// retain removes the segments that the topic's configuration keeps no longer.
// It is called by one caller at a time. As long as nothing happens to the
// partition and no segment has come of age, it costs no call of the engine.
func (p *Partition) retain() {
	for more := true; more; {
		now := looked{settings: p.settings.Load(), start: p.start.Load(), visible: p.visible.Load(), end: p.end.Load()}
		nowMs := p.host.Clock.Now().UnixMilli()
		if now == p.looked && nowMs < p.nextExpiryMs {
			return
		}
		p.looked = now
		more, p.nextExpiryMs = p.retainSome(now, nowMs)
	}
}

// retainSome removes a bounded number of segments. It looks without holding
// appends up, since the engine may have to ask the disk how old segments are.
// nextMs is when to look again though nothing else happens.
func (p *Partition) retainSome(seen looked, nowMs int64) (more bool, nextMs int64) {
	if p.Failure() != nil {
		return false, math.MaxInt64
	}
	segments, err := p.log.Segments(p.host.ctx())
	if err != nil {
		if !p.host.noteDirectory(p.dir, err) && p.Failure() == nil {
			p.host.Log.Warn("cannot tell which segments to delete", "topic", p.id.Topic, "partition", p.id.Partition, "error", err)
		}
		return false, nowMs
	}
	e := seen.settings.retention.apply(logState{segments: segments, start: seen.start, visible: seen.visible}, nowMs)
	if e.segments == 0 {
		return false, e.nextMs
	}
	if e.segments > trimAtOnce {
		e = expiry{segments: trimAtOnce, start: max(seen.start, segments[trimAtOnce-1].End)}
		more = true
	}
	if err := p.expire(e, segments[:e.segments]); err != nil {
		return false, nowMs
	}
	return more, e.nextMs
}

// expire carries out e, which was decided before mu was taken. What was below
// the high watermark still is there, or was removed by a client; but the active
// segment may have been appended to.
func (p *Partition) expire(e expiry, gone []storage.Segment) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failure != nil || e.roll && gone[len(gone)-1].End != p.end.Load() {
		return nil
	}
	var err error
	if e.roll {
		err = p.roll()
	}
	if err == nil {
		err = p.trim(max(e.start, p.start.Load()))
	}
	if err != nil {
		p.trimFailed(err)
		return err
	}
	var bytes int64
	for _, s := range gone {
		bytes += s.Bytes
	}
	p.host.Log.Info("old segments are deleted", "topic", p.id.Topic, "partition", p.id.Partition,
		"segments", e.segments, "bytes", bytes, "log_start_offset", p.start.Load())
	return nil
}

func (p *Partition) roll() error {
	rolled, err := p.log.Roll(p.host.ctx())
	if err != nil {
		return fmt.Errorf("cannot begin a segment: %w", err)
	}
	if rolled >= 0 {
		p.saveProducers(rolled, p.host.Clock.Now().UnixMilli())
		p.compactSoon()
	}
	return nil
}

// trim raises the log start offset to start, which is at most the high
// watermark. mu is held.
//
// The producers stay as they are, as in Kafka: who wrote what is gone now may
// go on to write. That could not be made from the log any more, so it is kept
// before.
func (p *Partition) trim(start int64) error {
	now := p.host.Clock.Now()
	if start > p.stateKept {
		p.saveProducers(p.end.Load(), now.UnixMilli())
	}
	if err := p.log.Trim(p.host.ctx(), start); err != nil {
		return fmt.Errorf("cannot remove what is below offset %d: %w", start, err)
	}
	p.start.Store(start)
	p.host.files.DropOwner(p)
	p.step(now, replication.Event{Kind: replication.EventTrimmed, Base: start})
	p.watches.wakeAll()
	return nil
}

// trimFailed takes the partition offline if the log cannot go on. mu is held.
func (p *Partition) trimFailed(err error) {
	if module.ClassOf(err) == module.Fatal {
		p.fail(err)
		return
	}
	p.host.Log.Warn("segments cannot be deleted", "topic", p.id.Topic, "partition", p.id.Partition, "error", err)
}
