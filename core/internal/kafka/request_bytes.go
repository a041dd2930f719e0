package kafka

import "sync"

// requestBytes bounds the bytes of requests that have begun to arrive and are
// not executed (queued.max.request.bytes): while there are as many, no
// connection reads on in a request or executes one. As with Kafka the request
// that goes beyond the limit is still taken, so that none is too large for it.
// A nil one has no limit.
type requestBytes struct {
	most int64

	mu    sync.Mutex
	room  sync.Cond
	taken int64
	// waiting is the number of those in room.
	waiting int
}

// newRequestBytes has no limit if most is not above 0.
func newRequestBytes(most int64) *requestBytes {
	if most <= 0 {
		return nil
	}
	b := &requestBytes{most: most}
	b.room.L = &b.mu
	return b
}

// tryEnter counts a request of n bytes, if there is room.
func (b *requestBytes) tryEnter(n int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.taken >= b.most {
		return false
	}
	b.taken += n
	return true
}

// enter waits until there is room.
func (b *requestBytes) enter(n int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.waiting++
	for b.taken >= b.most {
		b.room.Wait()
	}
	b.waiting--
	b.taken += n
}

func (b *requestBytes) leave(n int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.taken -= n
	if b.waiting > 0 {
		b.room.Broadcast()
	}
}

// hold counts the request that arrives, once. What was answered is written
// before others are waited for: they may take their time.
func (c *connection) hold(n int64) error {
	bytes := c.server.requestBytes
	if bytes == nil || n == 0 || c.held > 0 {
		return nil
	}
	if !bytes.tryEnter(n) {
		if err := c.flush(); err != nil {
			return err
		}
		bytes.enter(n)
	}
	c.held = n
	return nil
}

// letGo takes the request out of the count.
func (c *connection) letGo() {
	if c.held > 0 {
		c.server.requestBytes.leave(c.held)
		c.held = 0
	}
}
