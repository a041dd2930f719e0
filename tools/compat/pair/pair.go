// Package pair starts Odradek and Apache Kafka side by side, for suites that
// ask both the same.
package pair

import (
	"context"
	"errors"
	"path/filepath"

	"odradek.dev/tools/internal/brokerproc"
	"odradek.dev/tools/internal/kafkadist"
)

// Pair is both brokers, each with node id 1, on ports and data of its own.
type Pair struct {
	Kafka   *kafkadist.Broker
	Odradek *brokerproc.Broker
}

// Start starts both, with the same settings, each name=value. When it fails,
// neither runs.
func Start(ctx context.Context, odradek string, kafka kafkadist.Dist, dir string, settings ...string) (p Pair, err error) {
	if p.Kafka, err = kafka.NewBroker(filepath.Join(dir, "kafka")); err != nil {
		return p, err
	}
	p.Kafka.Settings = settings
	if err := p.Kafka.Start(ctx); err != nil {
		return p, err
	}
	// Kafka has its ports by now, so that these are others.
	args := []string{"-X", "node.id=1"}
	for _, one := range settings {
		args = append(args, "-X", one)
	}
	if p.Odradek, err = brokerproc.New(odradek, dir, args...); err != nil {
		return p, errors.Join(err, p.Kafka.Stop())
	}
	if err := p.Odradek.Start(ctx); err != nil {
		return p, errors.Join(err, p.Stop())
	}
	return p, nil
}

// Stop ends both, Odradek with SIGKILL.
func (p Pair) Stop() error { return errors.Join(p.Odradek.Kill(), p.Kafka.Stop()) }
