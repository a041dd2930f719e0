// Package deadline settles what was first, an answer or the end of the time in
// which it was to come. Whoever was kept from looking until then, by a machine
// that stood still or was busy, finds both.
package deadline

import (
	"context"
	"time"
)

// Await returns the next answer, or false if ctx ends before there is one. One
// that is there when the end of ctx is noticed counts. A channel that is closed
// answers with the zero value.
func Await[T any](ctx context.Context, answers <-chan T) (answer T, came bool) {
	select {
	case answer = <-answers:
		return answer, true
	case <-ctx.Done():
	}
	select {
	case answer = <-answers:
		return answer, true
	default:
		return answer, false
	}
}

// Past reports whether the deadline of ctx is past, though ctx may not have ended
// by it yet.
func Past(ctx context.Context) bool {
	deadline, ok := ctx.Deadline()
	return ok && !time.Now().Before(deadline)
}
