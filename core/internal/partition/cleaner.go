package partition

import (
	"context"
	"math"
	"sync"
	"sync/atomic"
)

// cleaner compacts logs: those that had a segment rolled, and those whose time
// has come. It is one goroutine for all partitions, which sleeps as long as
// there is none. Between two looks are at least log.cleaner.backoff.ms.
type cleaner struct {
	backoffMs atomic.Int64

	mu sync.Mutex
	// due is when a partition is to be looked at, in milliseconds.
	due map[*Partition]int64
	// wake is nil until the goroutine runs.
	wake chan struct{}

	cancel context.CancelFunc
	done   sync.WaitGroup
}

// start begins; it is called once at most.
func (c *cleaner) start(h *host) {
	var ctx context.Context
	ctx, c.cancel = context.WithCancel(context.Background())
	c.mu.Lock()
	c.wake = make(chan struct{}, 1)
	c.mu.Unlock()
	c.done.Go(func() { c.run(ctx, h) })
}

// stop ends it, and waits until it has let the partition that it is at alone.
func (c *cleaner) stop() {
	if c.cancel != nil {
		c.cancel()
	}
	c.done.Wait()
}

// lookAt has a partition looked at, in milliseconds; math.MaxInt64 for never.
func (c *cleaner) lookAt(p *Partition, ms int64) {
	if ms == math.MaxInt64 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.due == nil {
		c.due = make(map[*Partition]int64)
	}
	if known, ok := c.due[p]; !ok || ms < known {
		c.due[p] = ms
		c.ping()
	}
}

// ping wakes the goroutine, if there is one yet. mu is held.
func (c *cleaner) ping() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// forget is for a partition that is closed.
func (c *cleaner) forget(p *Partition) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.due, p)
}

func (c *cleaner) run(ctx context.Context, h *host) {
	last := h.Clock.Now().UnixMilli()
	for ctx.Err() == nil {
		now := h.Clock.Now().UnixMilli()
		at := max(c.earliest(), saturatingAdd(last, c.backoffMs.Load()))
		if at > now {
			c.sleep(ctx, h, at-now)
			continue
		}
		for _, p := range c.take(now) {
			c.lookAt(p, p.compact(ctx))
		}
		last = h.Clock.Now().UnixMilli()
	}
}

// sleep ends early when something else becomes due.
func (c *cleaner) sleep(ctx context.Context, h *host, ms int64) {
	timer := h.Clock.AfterFunc(milliseconds(ms), func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.ping()
	})
	defer timer.Stop()
	select {
	case <-c.wake:
	case <-ctx.Done():
	}
}

func (c *cleaner) earliest() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	earliest := int64(math.MaxInt64)
	for _, ms := range c.due {
		earliest = min(earliest, ms)
	}
	return earliest
}

// take removes and returns the partitions that are due.
func (c *cleaner) take(nowMs int64) []*Partition {
	c.mu.Lock()
	defer c.mu.Unlock()
	var due []*Partition
	for p, ms := range c.due {
		if ms <= nowMs {
			due = append(due, p)
			delete(c.due, p)
		}
	}
	return due
}
