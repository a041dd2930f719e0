// Package hostile sends a broker what no client should: bytes that are no
// requests, requests that never end, connections that say nothing, read nothing
// or vanish. It measures what that costs the broker, and a client beside it.
package hostile

import (
	"context"
	"errors"
	"fmt"

	"odradek.dev/tools/compat/sample"
	"odradek.dev/tools/compat/scenario"
	"odradek.dev/tools/internal/brokerproc"
	"odradek.dev/tools/internal/stalls"
)

// The client beside produces to topic. Nobody does to emptyTopic.
const (
	topic      = "beside"
	emptyTopic = "empty"
)

// suite is what the scenarios share.
type suite struct {
	broker *brokerproc.Broker
	beside *bystander
}

// Run starts a broker and a client that produces all the time, and looks how it
// fares.
func Run(ctx context.Context, t *scenario.Tally, odradek, dir string) (err error) {
	if err := raiseDescriptors(); err != nil {
		return err
	}
	// With Kafka's backlog of 50 a crowd waits for the retransmits of its own
	// kernel most of the time.
	b, err := brokerproc.New(odradek, dir, "-X", "socket.listen.backlog.size=4096")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Kill()) }()
	if err := b.Start(ctx); err != nil {
		return err
	}
	for _, name := range []string{topic, emptyTopic} {
		if err := sample.CreateTopic(ctx, b.Addr, name, nil); err != nil {
			return err
		}
	}
	machine := stalls.Start()
	defer machine.End()
	s := &suite{broker: b}
	if s.beside, err = newBystander(ctx, b.Addr, machine); err != nil {
		return err
	}
	defer s.beside.client.Close()
	t.Run(ctx, "hostile", s.scenarios())
	return nil
}

func (s *suite) scenarios() []scenario.Scenario {
	all := []scenario.Scenario{{Name: "the client beside, alone", Run: s.alone}}
	for _, one := range strangers() {
		all = append(all, scenario.Scenario{
			Name: fmt.Sprintf("%s, %d times", one.name, strangerTimes), Run: func(ctx context.Context) error { return s.stranger(ctx, one) },
		})
	}
	return append(all,
		scenario.Scenario{Name: fmt.Sprintf("%d clients that send a byte a second of 100 MiB", drips), Run: s.drip},
		scenario.Scenario{Name: fmt.Sprintf("%d connections that say nothing", idles), Run: s.idle},
		scenario.Scenario{Name: fmt.Sprintf("%d clients that ask and never read", deafs), Run: s.deaf},
		scenario.Scenario{Name: fmt.Sprintf("%d clients that vanish in the middle of a request", vanishers), Run: s.vanish},
	)
}

// alone is what the other figures of the client beside are compared with.
func (s *suite) alone(ctx context.Context) error {
	l, err := s.beside.during(ctx, func(ctx context.Context) error { return wait(ctx, quiet) })
	if err != nil {
		return err
	}
	s.beside.usual = l
	fmt.Printf("     beside: %v\n", l)
	return nil
}

// unhurt does something to the broker and fails if the client beside suffers.
func (s *suite) unhurt(ctx context.Context, do func(context.Context) error) error {
	l, err := s.beside.during(ctx, do)
	if err != nil {
		return err
	}
	fmt.Printf("     beside: %v\n", l)
	switch most := slowest*s.beside.usual.p99 + grace; {
	case s.beside.usual.count > 0 && l.p99 > most:
		return fmt.Errorf("a produce beside took %v (p99), and %v is the most: %v when nothing else went on", l.p99, most, s.beside.usual.p99)
	case l.most > stall:
		return fmt.Errorf("a produce beside took %v, and %v is the most", l.most, stall)
	}
	return nil
}
