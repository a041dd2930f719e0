package controller

import (
	"context"
	"sync"

	"odradek.dev/core/internal/metadata"
)

// producerIDs is what is left of this broker's block.
type producerIDs struct {
	mu sync.Mutex
	// next is free if it is below end. In mu.
	next, end int64
}

// take returns a free id, or false if the block is used up.
func (p *producerIDs) take() (int64, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.next >= p.end {
		return 0, false
	}
	p.next++
	return p.next - 1, true
}

func (p *producerIDs) left() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.next < p.end
}

// refill begins the next block.
func (p *producerIDs) refill(first, end int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.next, p.end = first, end
}

// AllocateProducerID returns an id that nobody was given before, in the whole
// cluster and for all time.
func (c *Controller) AllocateProducerID(ctx context.Context) (int64, error) {
	for {
		if id, free := c.ids.take(); free {
			return id, nil
		}
		if err := c.refillProducerIDs(ctx); err != nil {
			return 0, err
		}
	}
}

// refillProducerIDs takes another block, unless someone else has meanwhile. A
// block whose caller gave up is left unused: there are enough.
func (c *Controller) refillProducerIDs(ctx context.Context) error {
	block, err := change(ctx, c, func(i *metadata.Image) ([]metadata.Record, *metadata.ProducerIDsAllocated) {
		if c.ids.left() {
			return nil, nil
		}
		block := metadata.AllocateProducerIDs(i, c.options.Config.NodeID)
		return []metadata.Record{block}, block
	})
	if err == nil && block != nil {
		c.ids.refill(block.First, block.Next)
	}
	return err
}
