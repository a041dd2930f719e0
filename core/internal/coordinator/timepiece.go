package coordinator

import (
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
)

// leastStep is by how much a clock is set. What it is slewed by between two looks
// is less.
const leastStep = time.Second

// timepiece tells when the clock was set. Machines wait for times of day, since
// that is what records have, and those mean something else then.
type timepiece struct {
	began time.Time
	// elapsed is the time since began, whatever the clock was set to.
	elapsed func(now time.Time) time.Duration
}

func newTimepiece(began time.Time) timepiece {
	return timepiece{began, func(now time.Time) time.Duration { return now.Sub(began) }}
}

// ahead is by how much the clock was set forward since the timepiece began.
// Without its monotonic part, which Round takes away, a time is that of the day.
func (t *timepiece) ahead(now time.Time) time.Duration {
	return now.Round(0).Sub(t.began.Round(0)) - t.elapsed(now)
}

// clockWasSet reports whether the clock was set since it was looked at last. Then
// the machine starts over from the log, which begins all sessions anew: else
// members would be out that were heard of a moment ago, or be in for as long as
// the clock was set back. mu is held, and state is serving.
func (s *shard) clockWasSet(now time.Time) bool {
	before := s.ahead
	s.ahead = s.timepiece.ahead(now)
	by := s.ahead - before
	if by.Abs() < leastStep {
		return false
	}
	s.Log.Warn("the clock was set, the coordinator of groups starts over from the log",
		"topic", Topic, "partition", s.number, "by", by.Round(time.Millisecond))
	s.leave(loading, kerr.NotCoordinator)
	s.load(0)
	return true
}
