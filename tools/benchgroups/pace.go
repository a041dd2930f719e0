package main

import "time"

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
	// awake is the same while one session runs out, so that neither the brokers nor
	// the driver are measured as they come out of a second's sleep: what that takes
	// is mostly the machine's, and on a virtual one its host's.
	awake = pace{changing: 0, resting: 10 * time.Millisecond}
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
func (m *member) wait(told time.Duration) (bool, error) {
	began := time.Now()
	for {
		if m.leaving { // even if it is due
			return false, nil
		}
		interval := m.pace.resting
		switch {
		case m.pace.changing > 0:
			if !m.census.settled {
				interval = m.pace.changing
			}
		case m.census.isDue(m.number):
			return true, nil
		}
		if interval == 0 {
			interval = told
		}
		if time.Since(began) >= interval {
			return true, nil
		}
		if err := m.loop.Sleep(began.Add(interval)); err != nil {
			return false, err
		}
	}
}
