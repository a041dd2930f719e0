package partition

import (
	"errors"
	"fmt"
	"math"

	"odradek.dev/sdk/clock"
	"odradek.dev/sdk/replication"
	"odradek.dev/sdk/storage"
)

// flusher makes the log durable: when the strategy asks, and when the topic's
// flush.messages and flush.ms say so. Syncs of one partition do not overlap;
// all that was appended while one ran is covered by the next (group commit).
//
// An append that reaches flush.messages is neither acknowledged nor visible
// before it is durable: the effects that would make it so are held.
type flusher struct {
	running, again bool
	// durable is the offset up to which the log was last known to be.
	durable int64
	// gate is the end of the last append that has to be durable before it is
	// published.
	gate int64
	// unsynced counts the records since the last append that reached
	// flush.messages.
	unsynced int64
	held     []heldEffect
	// timer is for flush.ms, or for a sync that is to be made again; nil while all
	// is synced.
	timer clock.Timer
}

type heldEffect struct {
	effect replication.Effect
	until  int64
}

// appended counts records that were just written. The partition's mutex is
// held, here and in all other methods.
func (f *flusher) appended(p *Partition, records int64) {
	s := p.settings.Load()
	if s.flushMessages != math.MaxInt64 {
		if f.unsynced += records; f.unsynced >= s.flushMessages {
			f.unsynced = 0
			f.gate = p.end.Load()
			f.request(p)
		}
	}
	if s.flushMs != math.MaxInt64 && f.timer == nil {
		f.timer = p.host.Clock.AfterFunc(milliseconds(s.flushMs), p.flushDue)
	}
}

// holds keeps an effect back that must not be seen yet. What follows a held
// effect is held too, so that their order stays.
func (f *flusher) holds(p *Partition, e *replication.Effect) bool {
	if f.gate <= f.durable && len(f.held) == 0 {
		return false
	}
	f.held = append(f.held, heldEffect{effect: *e, until: f.gate})
	return true
}

// request begins a sync, or has the one that runs followed by another.
func (f *flusher) request(p *Partition) {
	if f.running {
		f.again = true
		return
	}
	f.running = true
	p.background.Add(1)
	go p.sync()
}

// drop forgets what was held; the partition serves no more.
func (f *flusher) drop() {
	f.held = nil
	if f.timer != nil {
		f.timer.Stop()
		f.timer = nil
	}
}

func (p *Partition) flushDue() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failure != nil {
		return
	}
	p.flush.timer = nil
	p.flush.request(p)
}

func (p *Partition) sync() {
	defer p.background.Done()
	for again := true; again; {
		durable, err := p.log.Sync(p.host.ctx())
		again = p.synced(durable, err)
	}
}

// synced takes note of a sync that is over, and says whether to do another.
func (p *Partition) synced(durable int64, err error) (again bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	again, p.flush.again = p.flush.again, false
	if p.failure != nil {
		again = false
	} else if err != nil {
		again = false
		p.syncFailed(err)
	} else {
		p.flush.durable = max(p.flush.durable, durable)
		p.step(p.host.Clock.Now(), replication.Event{Kind: replication.EventDurable, Offset: durable})
		p.release()
	}
	p.flush.running = again
	return again
}

// syncFailed takes the partition offline, or has the sync made again if what was
// in its way passes: until then nobody is told that anything is durable.
func (p *Partition) syncFailed(err error) {
	if !errors.Is(err, storage.ErrNoDescriptor) {
		p.fail(fmt.Errorf("cannot make the log durable: %w", err))
		return
	}
	p.host.Log.Warn("log cannot be made durable for now, which is tried again",
		"topic", p.id.Topic, "partition", p.id.Partition, "error", err)
	if p.flush.timer != nil {
		p.flush.timer.Stop()
	}
	p.flush.timer = p.host.Clock.AfterFunc(firstReopening, p.flushDue)
}

// release carries out the held effects whose time has come.
func (p *Partition) release() {
	done := 0
	for done < len(p.flush.held) && p.flush.held[done].until <= p.flush.durable && p.failure == nil {
		p.publish(&p.flush.held[done].effect)
		done++
	}
	if p.failure != nil {
		return
	}
	rest := copy(p.flush.held, p.flush.held[done:])
	clear(p.flush.held[rest:])
	p.flush.held = p.flush.held[:rest]
}
