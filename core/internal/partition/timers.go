package partition

import (
	"time"

	"odradek.dev/sdk/clock"
	"odradek.dev/sdk/replication"
)

// timer is one that the machine asked for.
type timer struct {
	clock.Timer
	// number tells it from an earlier one with the same tag.
	number uint64
}

// setTimer replaces the timer of the tag. mu is held.
func (p *Partition) setTimer(tag string, after time.Duration) {
	last := p.timers[tag]
	if last.Timer != nil {
		last.Stop()
		delete(p.timers, tag)
	}
	if after < 0 {
		return
	}
	if p.timers == nil {
		p.timers = make(map[string]timer)
	}
	p.timerNumber++
	number := p.timerNumber
	p.timers[tag] = timer{number: number, Timer: p.host.Clock.AfterFunc(after, func() { p.timeUp(tag, number) })}
}

func (p *Partition) timeUp(tag string, number uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failure != nil || p.timers[tag].number != number {
		return
	}
	delete(p.timers, tag)
	p.step(p.host.Clock.Now(), replication.Event{Kind: replication.EventTimer, Tag: tag})
}
