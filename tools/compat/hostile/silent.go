package hostile

import (
	"context"
	"encoding/binary"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// idles is the connections that say nothing.
	idles = 10_000
	// drips is the clients that send a byte a second, for so many seconds.
	drips       = 1000
	dripSeconds = 4

	mostPerIdleKiB = 20
	mostPerDripKiB = 40
)

// crowd is open connections.
type crowd struct {
	mu    sync.Mutex
	conns []net.Conn
}

// gather opens so many connections, several at a time.
func (s *suite) gather(ctx context.Context, count int) (*crowd, error) {
	const dialers = 8
	c := &crowd{}
	failures := make(chan error, dialers)
	var left atomic.Int64
	left.Store(int64(count))
	var running sync.WaitGroup
	for range dialers {
		running.Go(func() {
			for int(left.Add(-1)) >= 0 {
				conn, err := s.dial(ctx)
				if err != nil {
					failures <- err
					return
				}
				c.mu.Lock()
				c.conns = append(c.conns, conn)
				c.mu.Unlock()
			}
		})
	}
	running.Wait()
	close(failures)
	var errs []error
	for err := range failures {
		errs = append(errs, err)
	}
	if len(errs) > 0 {
		c.leave()
		return nil, fmt.Errorf("%d connections failed, the first: %w", len(errs), errs[0])
	}
	return c, nil
}

func (c *crowd) leave() {
	for _, conn := range c.conns {
		_ = conn.Close() // nothing was said on it
	}
}

// send has each connection send b.
func (c *crowd) send(b []byte) error {
	for i, conn := range c.conns {
		if _, err := conn.Write(b); err != nil {
			return fmt.Errorf("connection %d of %d: %w", i, len(c.conns), err)
		}
	}
	return nil
}

// idle opens the connections and keeps them for a while.
func (s *suite) idle(ctx context.Context) error {
	return s.crowded(ctx, idles, mostPerIdleKiB, func(ctx context.Context, _ *crowd) error { return wait(ctx, quiet) })
}

// drip claims the largest frame and sends it a byte a second.
func (s *suite) drip(ctx context.Context) error {
	claim := binary.BigEndian.AppendUint32(nil, 100<<20)
	return s.crowded(ctx, drips, mostPerDripKiB, func(ctx context.Context, c *crowd) error {
		if err := c.send(claim); err != nil {
			return err
		}
		for range dripSeconds {
			if err := c.send([]byte{0}); err != nil {
				return err
			}
			if err := wait(ctx, time.Second); err != nil {
				return err
			}
		}
		return nil
	})
}

// crowded measures what connections take of the broker, and looks that nothing
// is left of them when they are gone.
func (s *suite) crowded(ctx context.Context, count int, mostKiB float64, do func(context.Context, *crowd) error) error {
	before, err := s.readings()
	if err != nil {
		return err
	}
	var full readings
	err = s.unhurt(ctx, func(ctx context.Context) error {
		began := time.Now()
		c, err := s.gather(ctx, count)
		if err != nil {
			return err
		}
		defer c.leave()
		opened := time.Since(began)
		if err := do(ctx, c); err != nil {
			return err
		}
		full, err = s.until(func(r readings) bool { return r.connections >= before.connections+float64(count) })
		fmt.Printf("     %.0f connections a second; %v\n", float64(count)/opened.Seconds(), full.since(before))
		return err
	})
	if err != nil {
		return err
	}
	perConnection := (full.residentMiB - before.residentMiB) * 1024 / float64(count)
	fmt.Printf("     %.1f KiB a connection\n", perConnection)
	if perConnection > mostKiB {
		return fmt.Errorf("%.1f KiB a connection, and %.0f is the most", perConnection, mostKiB)
	}
	return s.freed(before)
}

// freed waits until the broker holds no more than before.
func (s *suite) freed(before readings) error {
	// What was read and written keeps a file open or two.
	const files = 4
	after, err := s.until(func(r readings) bool {
		return r.connections <= before.connections && r.descriptors <= before.descriptors+files && r.goroutines <= before.goroutines
	})
	if err == nil {
		fmt.Printf("     afterwards %v\n", after.since(before))
	}
	return err
}
