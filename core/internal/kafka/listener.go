package kafka

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"odradek.dev/core/internal/config"
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
	// accepting is that of what serves no client; it ends as soon as the server
	// is told to stop.
	accepting context.Context
	refuse    context.CancelFunc
	requests  *requestSlots
	// requestBytes is nil if there is no limit.
	requestBytes *requestBytes

	mu          sync.Mutex
	listeners   map[net.Listener]struct{}
	connections map[*connection]struct{}
	// quota has counted the connections.
	quota *connectionQuota
	// changed is closed when there may be room for another one; nil while
	// nobody waits for that.
	changed  chan struct{}
	stopping bool
	running  sync.WaitGroup
}

// NewServer makes a server that does not listen yet.
func NewServer(b *Backend) *Server {
	s := &Server{
		backend: b, table: newTable(), metrics: b.Metrics, complaints: newComplaints(b.Clock, b.Log),
		sessions: newFetchSessions(b.Config.FetchSessions),
		requests: newRequestSlots(b.Config.QueuedMaxRequests), requestBytes: newRequestBytes(b.Config.QueuedMaxRequestBytes),
		listeners: make(map[net.Listener]struct{}), connections: make(map[*connection]struct{}),
		quota: newConnectionQuota(b.Config),
	}
	if s.metrics == nil {
		s.metrics = noMetrics{}
	}
	s.context, s.cancel = context.WithCancel(context.Background())
	s.accepting, s.refuse = context.WithCancel(s.context)
	s.limit(b.Config)
	return s
}

// Serve accepts clients from l until Shutdown, ctx ends or l fails; none if there
// was a Shutdown before it. It closes l.
func (s *Server) Serve(ctx context.Context, l net.Listener, of config.Listener) error {
	if !s.listen(l) {
		return l.Close()
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.accepting, cancel)()
	defer context.AfterFunc(ctx, func() { s.unlisten(l) })()
	defer s.unlisten(l)
	if err := tuneListener(l, s.backend.Config); err != nil {
		return fmt.Errorf("listener %s: %w", of.Name, err)
	}
	for delay := time.Duration(0); ; {
		conn, err := l.Accept()
		if err != nil {
			if ctx.Err() != nil || errors.Is(err, net.ErrClosed) {
				return nil
			}
			delay = s.acceptAgain(ctx, delay, err)
			continue
		}
		delay = 0
		s.accept(ctx, conn, of)
	}
}

// Shutdown stops accepting, lets running requests finish, has parked fetches
// answered with what there is, and closes the connections. When ctx ends it
// closes those that are left at once.
func (s *Server) Shutdown(ctx context.Context) error {
	s.mu.Lock()
	s.stopping = true
	s.refuse()
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
	cutOff := s.hasClients()
	for _, c := range open {
		c.broken(ctx.Err())
	}
	<-done
	if !cutOff {
		return nil
	}
	return fmt.Errorf("clients were cut off: %w", ctx.Err())
}

func (s *Server) hasClients() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.connections) > 0
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
