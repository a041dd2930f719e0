package kafka

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/netip"
	"time"

	"odradek.dev/core/internal/config"
	"odradek.dev/core/internal/metadata"
	"odradek.dev/sdk/clock"
)

// accept takes a connection, once the limits allow it. Until then the listener
// accepts no other: those wait in the system's backlog.
func (s *Server) accept(ctx context.Context, conn net.Conn, of config.Listener) {
	c := newConnection(s, conn, of)
	c.from = addressOf(conn.RemoteAddr())
	if err := s.admit(ctx, c); err != nil {
		_ = conn.Close() // it never said anything
		var limit *addressLimitError
		if errors.As(err, &limit) {
			s.complain(c, err)
		}
		return
	}
	if err := tuneConnection(conn, s.backend.Config); err != nil {
		s.complaints.accept(err)
	}
	s.metrics.ConnectionOpened(of.Name)
	go func() {
		defer s.running.Done()
		c.serve()
		s.mu.Lock()
		s.forget(c)
		s.mu.Unlock()
		s.metrics.ConnectionClosed(of.Name)
	}()
}

// admit counts c once there is room for it.
func (s *Server) admit(ctx context.Context, c *connection) error {
	listener, now := c.caller.Listener.Name, s.backend.Clock.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	until := now.Add(s.quota.delay(listener, now))
	for now.Before(until) || !s.quota.free(listener) {
		if err := s.awaitRoom(ctx, until.Sub(now)); err != nil {
			return err
		}
		before := now
		now = s.backend.Clock.Now()
		s.metrics.AcceptBlocked(listener, now.Sub(before))
	}
	if s.stopping {
		return net.ErrClosed
	}
	if most, taken := s.quota.take(listener, c.from); !taken {
		return &addressLimitError{address: c.from, most: most}
	}
	s.connections[c] = struct{}{}
	s.running.Add(1)
	s.closeExcess()
	return nil
}

// awaitRoom returns when connections or limits have changed, or, if there is a
// throttle to wait for, it is over. mu is held, but not meanwhile.
func (s *Server) awaitRoom(ctx context.Context, throttle time.Duration) error {
	if s.changed == nil {
		s.changed = make(chan struct{})
	}
	changed := s.changed
	s.mu.Unlock()
	defer s.mu.Lock()
	var over chan struct{}
	if throttle > 0 {
		over = make(chan struct{})
		timer := s.backend.Clock.AfterFunc(throttle, func() { close(over) })
		defer timer.Stop()
	}
	select {
	case <-changed:
	case <-over:
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

// roomChanged wakes those in awaitRoom. mu is held.
func (s *Server) roomChanged() {
	if s.changed != nil {
		close(s.changed)
		s.changed = nil
	}
}

// forget takes a connection out of the counts, once. mu is held.
func (s *Server) forget(c *connection) {
	if _, open := s.connections[c]; open {
		delete(s.connections, c)
		s.quota.give(c.caller.Listener.Name, c.from)
		s.roomChanged()
	}
}

// closeExcess closes the longest idle connections while there are more than
// max.connections, but none of the listener that is spared. mu is held.
func (s *Server) closeExcess() {
	for s.quota.exceeded() {
		c := s.longestIdle()
		if c == nil {
			return
		}
		// Its goroutine ends by itself. It no longer counts, so that no more
		// than needed are closed.
		s.forget(c)
		c.broken(errExcess)
	}
}

func (s *Server) longestIdle() *connection {
	var found *connection
	for c := range s.connections {
		spared := s.quota.broker.SparesListener(c.caller.Listener.Name)
		if !spared && (found == nil || c.active.Load() < found.active.Load()) {
			found = c
		}
	}
	return found
}

// Apply takes over the limits that were set while the broker runs. It follows
// the images of the metadata.
func (s *Server) Apply(old, next *metadata.Image) error {
	node := s.backend.Config.NodeID
	forAllBefore, ownBefore := old.BrokerConfigs(node)
	forAll, own := next.BrokerConfigs(node)
	if !maps.Equal(forAllBefore, forAll) || !maps.Equal(ownBefore, own) {
		s.limit(s.backend.configOf(next))
	}
	return nil
}

func (s *Server) limit(b *config.Broker) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.quota.broker, s.quota.overrides = b, literalOverrides(b)
	s.resolveOverrides(b)
	s.closeExcess()
	s.roomChanged()
}

// resolveTimeout is how long a name may take to be resolved.
const resolveTimeout = 10 * time.Second

// resolveOverrides looks up the hosts that have a limit under their name. That
// may take its time, for which nobody waits. mu is held.
func (s *Server) resolveOverrides(b *config.Broker) {
	for host, most := range b.MaxConnectionsPerIPOverrides {
		if _, err := netip.ParseAddr(host); err == nil || s.stopping {
			continue
		}
		s.running.Go(func() {
			ctx, cancel := context.WithTimeout(s.accepting, resolveTimeout)
			defer cancel()
			found, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
			if err != nil {
				s.backend.Log.Warn("max.connections.per.ip.overrides has no effect for a host: its address is not known", "host", host, "error", err)
				return
			}
			s.mu.Lock()
			defer s.mu.Unlock()
			for _, address := range found {
				if _, literal := s.quota.overrides[address.Unmap()]; !literal && s.quota.broker == b {
					s.quota.overrides[address.Unmap()] = most
				}
			}
		})
	}
}

func addressOf(a net.Addr) netip.Addr {
	if tcp, ok := a.(*net.TCPAddr); ok {
		return tcp.AddrPort().Addr().Unmap()
	}
	return netip.Addr{}
}

// yieldedToAccept is how many files are closed for a connection: it is not the
// only one that comes.
const yieldedToAccept = 32

// acceptAgain goes on after a failed accept. Mostly the process has no descriptor
// left: then files that need not be open are closed, and if there are none it
// waits a little, until a client goes.
func (s *Server) acceptAgain(ctx context.Context, delay time.Duration, cause error) time.Duration {
	if noDescriptor(cause) {
		if closed := s.backend.Partitions.YieldFiles(yieldedToAccept); closed > 0 {
			s.complaints.yielded(cause, closed)
			return 0
		}
	}
	delay = min(max(2*delay, 5*time.Millisecond), time.Second)
	s.complaints.accept(cause)
	// If ctx ends, the next accept says so.
	_ = clock.Wait(ctx, s.backend.Clock, delay)
	return delay
}

// errExcess is why a connection was closed that did nothing wrong.
var errExcess = errors.New("there were more connections than max.connections, and it was idle for longest")

// addressLimitError is a connection too many from one address.
type addressLimitError struct {
	address netip.Addr
	most    int
}

func (e *addressLimitError) Error() string {
	return fmt.Sprintf("%s has %d connections and may have no more (max.connections.per.ip and its overrides)", e.address, e.most)
}
