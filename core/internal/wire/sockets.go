package wire

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"sync"

	"odradek.dev/core/internal/config"
	"odradek.dev/core/internal/metadata"
)

// sockets binds every listener before anything is started that takes long: a
// port that is taken shows at once, and what clients are told can be put into
// the metadata. Clients that connect before they are served wait.
type sockets struct {
	broker *config.Broker

	mu sync.Mutex
	// In mu: by listener name, and of the admin server, nil if there is none.
	bound map[string]net.Listener
	admin net.Listener
}

func newSockets(l life, b *config.Broker) *sockets {
	s := &sockets{broker: b, bound: map[string]net.Listener{}}
	l.hook(s.start, s.stop)
	return s
}

func (s *sockets) start(ctx context.Context) error {
	if err := s.bindAll(ctx); err != nil {
		return errors.Join(err, s.stop(ctx))
	}
	return nil
}

func (s *sockets) bindAll(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var dialect net.ListenConfig
	for i := range s.broker.Listeners {
		of := &s.broker.Listeners[i]
		l, err := dialect.Listen(ctx, "tcp", net.JoinHostPort(of.Host, strconv.Itoa(int(of.Port))))
		if err != nil {
			return fmt.Errorf("listeners: cannot listen for %s: %w; stop what has the port, or set another", of.Name, err)
		}
		s.bound[of.Name] = l
		of.Port = portOf(l)
		if of.AdvertisedPort == 0 {
			of.AdvertisedPort = of.Port
		}
	}
	if s.broker.AdminListener == "" {
		return nil
	}
	l, err := dialect.Listen(ctx, "tcp", s.broker.AdminListener)
	if err != nil {
		return fmt.Errorf("admin.listener: cannot listen: %w; stop what has the port, set another, or an empty address for no admin server", err)
	}
	s.admin = l
	return nil
}

func portOf(l net.Listener) int32 {
	if addr, ok := l.Addr().(*net.TCPAddr); ok {
		return int32(addr.Port)
	}
	return 0
}

// stop closes those that nobody served.
func (s *sockets) stop(context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	for _, l := range s.bound {
		errs = append(errs, closed(l))
	}
	if s.admin != nil {
		errs = append(errs, closed(s.admin))
	}
	return errors.Join(errs...)
}

func closed(l net.Listener) error {
	if err := l.Close(); !errors.Is(err, net.ErrClosed) {
		return err
	}
	return nil
}

// address is host:port of a listener as it was bound, empty before.
func (s *sockets) address(listener string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if l, ok := s.bound[listener]; ok {
		return l.Addr().String()
	}
	return ""
}

func (s *sockets) adminAddress() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.admin != nil {
		return s.admin.Addr().String()
	}
	return ""
}

// endpoints are what clients are told.
func (s *sockets) endpoints() []metadata.Endpoint {
	var list []metadata.Endpoint
	for _, l := range s.broker.Listeners {
		list = append(list, metadata.Endpoint{Listener: l.Name, Host: l.AdvertisedHost, Port: l.AdvertisedPort})
	}
	return list
}
