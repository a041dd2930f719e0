package main

import (
	"context"
	"time"
)

// pace is how long members wait between two heartbeats.
type pace struct {
	// changing is how long while their group is on its way to a goal. With 0 no
	// timer is involved: a member beats as soon as that is of use.
	changing time.Duration
	// resting is how long when the group has settled; 0 is what the protocol says.
	resting time.Duration
}

var (
	// untimed takes the protocol's timers out. Whoever rests only keeps its session.
	untimed = pace{changing: 0, resting: quickSession / 4}
	// fast is a heartbeat of short interval.
	fast = pace{changing: fastInterval, resting: fastInterval}
	// asTold settles soon and then beats as clients do.
	asTold = pace{changing: 200 * time.Millisecond}
)

const fastInterval = 20 * time.Millisecond

// usualHeartbeat is heartbeat.interval.ms of Kafka's consumer.
const usualHeartbeat = 3 * time.Second

// wait ends with true when it is time for the next heartbeat, with false when
// the member is to leave. told is the interval that the protocol says.
func (m *member) wait(ctx context.Context, told time.Duration) (bool, error) {
	began := time.Now()
	for {
		if m.leaving.Err() != nil { // even if it is due
			return false, ctx.Err()
		}
		due, settled, turn := m.census.next(m.number)
		interval := m.pace.resting
		switch {
		case m.pace.changing > 0:
			turn = nil
			if !settled {
				interval = m.pace.changing
			}
		case due:
			return true, nil
		}
		if interval == 0 {
			interval = told
		}
		m.restFor(interval - time.Since(began))
		select {
		case <-m.timer.C:
			return true, nil
		case <-turn: // it may be due now
		case <-m.leaving.Done(): // ctx ends it too
		}
	}
}

// restFor sets the timer, which is used again and again.
func (m *member) restFor(d time.Duration) {
	if m.timer == nil {
		m.timer = time.NewTimer(d)
		return
	}
	m.timer.Reset(d)
}
