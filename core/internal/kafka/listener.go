package kafka

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"odradek.dev/core/internal/config"
	"odradek.dev/sdk/clock"
)

// Server serves clients on any number of listeners. Safe for concurrent use.
type Server struct {
	backend    *Backend
	table      *table
	metrics    Metrics
	complaints *complaints
	sessions   *fetchSessions
	buffers    bufferPool
	outbounds  sync.Pool
	// context is that of requests; it ends when the server was told to stop
	// and its time is up.
	context context.Context
	cancel  context.CancelFunc

	mu          sync.Mutex
	listeners   map[net.Listener]struct{}
	connections map[*connection]struct{}
	stopping    bool
	running     sync.WaitGroup
}

// NewServer makes a server that does not listen yet.
func NewServer(b *Backend) *Server {
	s := &Server{
		backend: b, table: newTable(), metrics: b.Metrics, complaints: newComplaints(b.Clock, b.Log),
		sessions:  newFetchSessions(b.Config.FetchSessions),
		listeners: make(map[net.Listener]struct{}), connections: make(map[*connection]struct{}),
	}
	if s.metrics == nil {
		s.metrics = noMetrics{}
	}
	s.context, s.cancel = context.WithCancel(context.Background())
	return s
}

// Serve accepts clients from l until Shutdown, ctx ends or l fails. It closes l.
func (s *Server) Serve(ctx context.Context, l net.Listener, of config.Listener) error {
	if !s.listen(l) {
		return errors.Join(net.ErrClosed, l.Close())
	}
	stopped := context.AfterFunc(ctx, func() { s.unlisten(l) })
	defer stopped()
	defer s.unlisten(l)
	for delay := time.Duration(0); ; {
		conn, err := l.Accept()
		if err != nil {
			if s.isStopping() || ctx.Err() != nil || errors.Is(err, net.ErrClosed) {
				return nil
			}
			if delay, err = s.acceptAgain(ctx, delay, err); err != nil {
				return fmt.Errorf("listener %s: %w", of.Name, err)
			}
			continue
		}
		delay = 0
		s.accept(conn, of)
	}
}

// acceptAgain waits a little after a failed accept: mostly the process has no
// descriptor left, and gets one when a client goes.
func (s *Server) acceptAgain(ctx context.Context, delay time.Duration, cause error) (time.Duration, error) {
	delay = min(max(2*delay, 5*time.Millisecond), time.Second)
	s.complaints.accept(cause)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.context, cancel)()
	return delay, clock.Wait(ctx, s.backend.Clock, delay)
}

func (s *Server) accept(conn net.Conn, of config.Listener) {
	c := newConnection(s, conn, of)
	most := s.backend.current().MaxConnections
	s.mu.Lock()
	full := most > 0 && len(s.connections) >= most
	if full || s.stopping {
		s.mu.Unlock()
		_ = conn.Close() // it never said anything
		if full {
			s.complaints.add(c, fmt.Errorf("max.connections is %d and as many are open", most))
		}
		return
	}
	s.connections[c] = struct{}{}
	s.running.Add(1)
	s.mu.Unlock()
	s.metrics.ConnectionOpened(of.Name)
	go func() {
		defer s.running.Done()
		c.serve()
		s.mu.Lock()
		delete(s.connections, c)
		s.mu.Unlock()
		s.metrics.ConnectionClosed(of.Name)
	}()
}

// Shutdown stops accepting, lets running requests finish, has parked fetches
// answered with what there is, and closes the connections. When ctx ends it
// closes those that are left at once.
func (s *Server) Shutdown(ctx context.Context) error {
	s.mu.Lock()
	s.stopping = true
	listeners, open := keys(s.listeners), keys(s.connections)
	s.mu.Unlock()
	for _, l := range listeners {
		s.unlisten(l)
	}
	for _, c := range open {
		c.stop()
	}
	done := make(chan struct{})
	go func() {
		s.running.Wait()
		close(done)
	}()
	defer s.cancel()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
	}
	s.cancel()
	for _, c := range open {
		c.broken(ctx.Err())
	}
	<-done
	return fmt.Errorf("clients were cut off: %w", ctx.Err())
}

func (s *Server) listen(l net.Listener) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.stopping {
		s.listeners[l] = struct{}{}
	}
	return !s.stopping
}

func (s *Server) unlisten(l net.Listener) {
	s.mu.Lock()
	_, open := s.listeners[l]
	delete(s.listeners, l)
	s.mu.Unlock()
	if open {
		if err := l.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
			s.backend.Log.Warn("listener was not closed cleanly", "address", l.Addr(), "error", err)
		}
	}
}

func (s *Server) isStopping() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stopping
}

func (s *Server) takeOutbound() *outbound {
	if out, ok := s.outbounds.Get().(*outbound); ok {
		return out
	}
	return new(outbound)
}

func keys[K comparable](m map[K]struct{}) []K {
	out := make([]K, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	return out
}
