// Package clock is the seam for time: the real clock for a broker, a fake one
// that a test moves by hand.
package clock

import "time"

// Clock tells the time and calls back later. Safe for concurrent use.
type Clock interface {
	Now() time.Time
	// AfterFunc calls f in its own goroutine once d has passed.
	AfterFunc(d time.Duration, f func()) Timer
}

// Timer is a call that was asked for.
type Timer interface {
	// Stop prevents the call; false if it has begun or was stopped before.
	Stop() bool
}

// Real is the machine's clock.
func Real() Clock { return realClock{} }

type realClock struct{}

func (realClock) Now() time.Time { return time.Now() }

func (realClock) AfterFunc(d time.Duration, f func()) Timer { return time.AfterFunc(d, f) }
