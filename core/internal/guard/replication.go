package guard

import (
	"context"
	"time"

	"odradek.dev/sdk/replication"
)

// strategy counts and times a replication strategy's calls, and its machines'
// steps.
type strategy struct {
	replication.Strategy
	meter *meter
}

func (s *strategy) Open(ctx context.Context, start replication.Start) (replication.Machine, error) {
	began := s.meter.begin()
	machine, err := s.Strategy.Open(ctx, start)
	s.meter.end(began)
	if err != nil {
		return nil, s.meter.unlessInvalid(err)
	}
	return &meteredMachine{machine, s.meter}, nil
}

func (s *strategy) Elect(ctx context.Context, record replication.Record, live replication.Liveness) (replication.Record, error) {
	began := s.meter.begin()
	elected, err := s.Strategy.Elect(ctx, record, live)
	s.meter.end(began)
	return elected, s.meter.unlessInvalid(err)
}

type meteredMachine struct {
	replication.Machine
	meter *meter
}

func (m *meteredMachine) Step(now time.Duration, events []replication.Event, out []replication.Effect) ([]replication.Effect, error) {
	began := m.meter.beginSampled()
	out, err := m.Machine.Step(now, events, out)
	m.meter.endSampled(began)
	return out, m.meter.unlessInvalid(err)
}
