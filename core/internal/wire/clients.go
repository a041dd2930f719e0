package wire

import (
	"context"
	"net"
	"sync"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/prometheus/client_golang/prometheus"

	"odradek.dev/core/internal/config"
	"odradek.dev/core/internal/kafka"
	"odradek.dev/core/internal/metrics"
	"odradek.dev/sdk/clock"
)

// clientsStopTimeout leaves the partitions time to close their logs, however
// slowly a client reads.
const clientsStopTimeout = 2 * time.Second

// clients serves the Kafka protocol at the listeners.
type clients struct {
	broker   *config.Broker
	sockets  *sockets
	control  *control
	failures failures
	state    *state
	log      hclog.Logger
	backend  func() *kafka.Backend

	server  *kafka.Server
	serving sync.WaitGroup
}

func newClients(
	l life, b *config.Broker, s *sockets, k *control, p *partitions, g *groups, st *state, f failures,
	log hclog.Logger, c clock.Clock, r prometheus.Registerer,
) *clients {
	traffic := metrics.NewTraffic(r, b.Listeners)
	served := &clients{broker: b, sockets: s, control: k, failures: f, state: st, log: log}
	served.backend = func() *kafka.Backend {
		return &kafka.Backend{
			Config: b, Controller: k.controller, Partitions: p.registry, Groups: g.coordinator, Clock: c, Log: log.Named("kafka"), Metrics: traffic,
		}
	}
	l.hook(served.start, served.stop)
	return served
}

func (s *clients) start(context.Context) error {
	s.server = kafka.NewServer(s.backend())
	// The limits of connections follow what is set while the broker runs.
	if err := s.control.controller.Subscribe(s.server.Apply); err != nil {
		return err
	}
	for _, of := range s.broker.Listeners {
		s.serve(s.sockets.bound[of.Name], of)
	}
	s.state.serving.Store(true)
	return nil
}

func (s *clients) serve(l net.Listener, of config.Listener) {
	s.serving.Go(func() {
		// It ends by Shutdown, not by a context.
		if err := s.server.Serve(context.Background(), l, of); err != nil {
			s.failures.report(err)
		}
	})
}

func (s *clients) stop(ctx context.Context) error {
	s.state.serving.Store(false)
	ctx, cancel := context.WithTimeout(ctx, clientsStopTimeout)
	defer cancel()
	if err := s.server.Shutdown(ctx); err != nil {
		// The broker stops cleanly all the same: nothing that was acknowledged
		// is lost with a connection.
		s.log.Warn("some clients did not finish in time", "error", err)
	}
	s.serving.Wait()
	return nil
}
