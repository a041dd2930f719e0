package partition

import (
	"context"
	"sync"
	"time"

	"odradek.dev/sdk/clock"
)

// firstLook is how long after the start segments are looked for at the latest,
// so that a broker that is started often gets to it.
const firstLook = 30 * time.Second

// retainer looks for segments to delete, once in
// log.retention.check.interval.ms. It is one goroutine for all partitions.
type retainer struct {
	cancel context.CancelFunc
	done   sync.WaitGroup
}

// start begins; it is called once at most.
func (t *retainer) start(r *Registry) {
	var ctx context.Context
	ctx, t.cancel = context.WithCancel(context.Background())
	interval := r.host.Config.RetentionCheckInterval
	t.done.Go(func() {
		for wait := min(interval, firstLook); clock.Wait(ctx, r.host.Clock, wait) == nil; wait = interval {
			r.retain(ctx)
		}
	})
}

// stop ends it, and waits for the partition that it is at.
func (t *retainer) stop() {
	if t.cancel != nil {
		t.cancel()
	}
	t.done.Wait()
}

// retain goes through all partitions.
func (r *Registry) retain(ctx context.Context) {
	for _, t := range r.Topics() {
		for _, p := range t.All() {
			if ctx.Err() != nil {
				return
			}
			if p != nil {
				p.retain()
			}
		}
	}
}
