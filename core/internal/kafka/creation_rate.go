package kafka

import "time"

// Kafka measures a rate over ten samples of a second and the one that runs: so
// much may come at once after a pause. What is over it waits, a sample at most.
const (
	creationBurst   = 10 * time.Second
	longestThrottle = time.Second
)

// creationRate says how long a new connection has to wait so that no more than
// so many come in a second. The zero value has seen none.
type creationRate struct {
	// paid is the time up to which the connections so far have used the rate
	// up.
	paid time.Time
}

// add counts a connection and returns its wait.
func (r *creationRate) add(perSecond int, now time.Time) time.Duration {
	if perSecond == 0 {
		return longestThrottle
	}
	if earliest := now.Add(-creationBurst); r.paid.Before(earliest) {
		r.paid = earliest
	}
	r.paid = r.paid.Add(time.Second / time.Duration(perSecond))
	if latest := now.Add(longestThrottle); r.paid.After(latest) {
		r.paid = latest
	}
	return max(0, r.paid.Sub(now))
}
