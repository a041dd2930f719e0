package supervise

import "time"

// Policy says when a process that has ended is started again.
type Policy struct {
	// The second death in a row costs MinDelay, each further one twice as much
	// up to MaxDelay; the first costs nothing. A part of up to half is taken
	// off at random, so that modules that died together do not start together.
	MinDelay, MaxDelay time.Duration
	// A process that has lived for Settled has recovered: its deaths in a row
	// are counted from one again.
	Settled time.Duration
	// Deaths within Window lead to quarantine: one try each QuarantineDelay,
	// until a process has lived for Settled. It is never given up, since
	// somebody may mend the program or what it depends on.
	Deaths          int
	Window          time.Duration
	QuarantineDelay time.Duration
}

// DefaultPolicy reaches quarantine after about half a minute of a process that
// dies at once.
func DefaultPolicy() Policy {
	return Policy{
		MinDelay: 100 * time.Millisecond, MaxDelay: 30 * time.Second,
		Settled: time.Minute,
		Deaths:  10, Window: 5 * time.Minute, QuarantineDelay: 5 * time.Minute,
	}
}

// history is what a policy knows of one module.
type history struct {
	// inARow counts deaths without a settled life in between.
	inARow int
	// recent has the last deaths, oldest first, at most Policy.Deaths.
	recent      []time.Time
	quarantined bool
}

// verdict says what to do about a death.
type verdict struct {
	delay      time.Duration
	quarantine bool
}

// died records that a process has ended at now after it had lived for lived;
// zero for one that did not even start. jitter is in [0, 1).
func (p Policy) died(h history, now time.Time, lived time.Duration, jitter float64) (history, verdict) {
	if lived >= p.Settled {
		h = history{recent: h.recent}
	}
	h.inARow++
	h.recent = append(h.recent[max(0, len(h.recent)+1-p.Deaths):len(h.recent):len(h.recent)], now)
	if len(h.recent) == p.Deaths && now.Sub(h.recent[0]) <= p.Window {
		h.quarantined = true
	}
	if h.quarantined {
		return h, verdict{delay: jittered(p.QuarantineDelay, jitter), quarantine: true}
	}
	return h, verdict{delay: jittered(p.delay(h.inARow), jitter)}
}

func (p Policy) delay(inARow int) time.Duration {
	if inARow < 2 {
		return 0
	}
	delay := p.MinDelay
	for range inARow - 2 {
		if delay *= 2; delay >= p.MaxDelay {
			return p.MaxDelay
		}
	}
	return delay
}

func jittered(d time.Duration, jitter float64) time.Duration {
	return d - time.Duration(float64(d)/2*jitter)
}
