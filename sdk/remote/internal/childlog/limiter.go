package childlog

import "time"

// How much of a child's output reaches the host's log. A line is bounded too,
// so at most about 800 KiB a second for as long as the child goes on.
const (
	linesPerSecond = 100
	linesAtOnce    = 1000
)

// limiter lets lines through at a rate. It is pure: time is an argument.
type limiter struct {
	tokens float64
	last   time.Time
	// dropped counts the lines refused since the last one that passed.
	dropped uint64
}

func newLimiter(now time.Time) limiter { return limiter{tokens: linesAtOnce, last: now} }

// allow reports whether a line may pass, and how many were refused before it.
func (l *limiter) allow(now time.Time) (ok bool, dropped uint64) {
	l.tokens = min(linesAtOnce, l.tokens+now.Sub(l.last).Seconds()*linesPerSecond)
	l.last = now
	if l.tokens < 1 {
		l.dropped++
		return false, 0
	}
	l.tokens--
	return true, l.takeDropped()
}

func (l *limiter) takeDropped() uint64 {
	dropped := l.dropped
	l.dropped = 0
	return dropped
}
