package clock

import (
	"context"
	"time"
)

// Wait returns nil once d has passed on c, or the context's error if that ends
// first. A d of 0 or less has passed already on a real clock, and on a [Fake]
// at its next Advance.
func Wait(ctx context.Context, c Clock, d time.Duration) error {
	over := make(chan struct{})
	timer := c.AfterFunc(d, func() { close(over) })
	defer timer.Stop()
	select {
	case <-over:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
