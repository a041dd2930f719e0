package partition

import (
	"context"
	"fmt"

	"odradek.dev/core/internal/refusal"
	"odradek.dev/sdk/replication"
)

// change gives the partition another record and configuration.
func (p *Partition) change(s *settings, r replication.Record) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failure != nil {
		p.changeLater(s, r)
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

// changeLater takes note of what the log is to be opened with.
func (p *Partition) changeLater(s *settings, r replication.Record) {
	if !p.awaitsRoom {
		return
	}
	p.settings.Store(s)
	p.producers.expireMs = s.expireMs
	if r.Version > p.record.Version {
		p.record = r
	}
}

// finish ends the service with an answer for all that come. The log stays open.
func (p *Partition) finish(answer *refusal.Refusal) (clean bool) {
	p.mu.Lock()
	clean = p.failure == nil
	p.retire(answer)
	p.mu.Unlock()
	p.host.cleaner.forget(p)
	p.host.reopener.forget(p)
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

// fail takes the partition offline: nothing is written to it or read from it
// until the broker starts again. Everybody who waits is told.
func (p *Partition) fail(cause error) {
	if p.failure != nil {
		return
	}
	if p.host.noteDirectory(p.dir, cause) {
		p.retire(offline(cause))
		return
	}
	p.host.Log.Error("partition goes offline", "topic", p.id.Topic, "partition", p.id.Partition, "error", cause)
	p.retire(offline(cause))
}

func offline(cause error) *refusal.Refusal {
	return refusal.New(errOffline.Kind, "%s: %v", errOffline.Message, cause)
}

// retire ends the service of the partition with an answer for all that wait
// and all that come. mu is held.
func (p *Partition) retire(answer *refusal.Refusal) {
	p.failure, p.awaitsRoom = answer, false
	last := p.Role()
	p.role.Store(&Role{Leader: -1, Epoch: last.Epoch})
	for _, t := range p.timers {
		t.Stop()
	}
	p.timers = nil
	p.answerAll(answer)
	p.watches.wakeAll()
}
