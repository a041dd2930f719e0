// Package kills kills the broker again and again under Kafka's own verifiable
// producer, and looks for every record that was acknowledged.
package kills

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"

	"odradek.dev/tools/compat/sample"
	"odradek.dev/tools/compat/scenario"
	"odradek.dev/tools/internal/brokerproc"
	"odradek.dev/tools/internal/kafkadist"
)

// kills is how often the broker dies.
const kills = 50

type suite struct {
	broker *brokerproc.Broker
	// once is the tool as it comes, which sends nothing again; again is
	// idempotent and does.
	once, again *producer
}

// Run starts a broker and two producers.
func Run(ctx context.Context, t *scenario.Tally, odradek string, kafka kafkadist.Dist, dir string) (err error) {
	// The producers end with it.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &suite{once: &producer{name: "the producer without retries", topic: "once"}, again: &producer{name: "the idempotent producer", topic: "again"}}
	if s.broker, err = brokerproc.New(odradek, dir); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.broker.Kill()) }()
	if err := s.broker.Start(ctx); err != nil {
		return err
	}
	for p, config := range map[*producer]string{s.once: "", s.again: "enable.idempotence=true\nretries=2147483647\n"} {
		if err := sample.CreateTopic(ctx, s.broker.Addr, p.topic, nil); err != nil {
			return err
		}
		if err := startProducer(ctx, kafka, p, s.broker.Addr, dir, config); err != nil {
			return err
		}
	}
	t.Run(ctx, "kills", []scenario.Scenario{
		{Name: fmt.Sprintf("%d times kill -9 under kafka's verifiable producer", kills), Run: s.kill},
		{Name: "what a producer without retries was told is there, once", Run: s.checkOnce},
		{Name: "what an idempotent producer was told is there, once and in order", Run: s.checkAgain},
	})
	return nil
}

// kill kills after a number of acknowledgements that differs each time.
func (s *suite) kill(ctx context.Context) error {
	random := rand.New(rand.NewPCG(kills, 0))
	for range kills {
		if err := s.await(ctx, 1+random.IntN(1000)); err != nil {
			return err
		}
		if err := errors.Join(s.broker.Kill(), s.broker.Start(ctx)); err != nil {
			return err
		}
	}
	if err := s.await(ctx, 1); err != nil {
		return err
	}
	return errors.Join(s.once.stop(), s.again.stop())
}

// await returns when both producers have so many more records acknowledged.
func (s *suite) await(ctx context.Context, more int) error {
	once, again := s.once.count()+more, s.again.count()+more
	return errors.Join(s.once.await(ctx, once), s.again.await(ctx, again))
}

// checkOnce: nothing is sent twice, so nothing may be there twice.
func (s *suite) checkOnce(ctx context.Context) error {
	if len(s.once.refused) == 0 {
		return errors.New("no record was lost on the way: the kills did not hit the producer")
	}
	_, err := s.check(ctx, s.once)
	return err
}

func (s *suite) checkAgain(ctx context.Context) error {
	if n := len(s.again.refused); n > 0 {
		return fmt.Errorf("%d records were given up, the first because of: %s", n, s.again.refused[0])
	}
	values, err := s.check(ctx, s.again)
	if err != nil {
		return err
	}
	for offset, value := range values {
		if value != int64(offset) {
			return fmt.Errorf("offset %d has the record number %d", offset, value)
		}
	}
	return nil
}

// check finds each acknowledged record where the producer was told, and no
// record twice. It returns the numbers of the records by offset.
func (s *suite) check(ctx context.Context, p *producer) ([]int64, error) {
	records, err := sample.Read(ctx, s.broker.Addr, p.topic)
	if err != nil {
		return nil, err
	}
	values, seen := make([]int64, len(records)), make(map[int64]int64, len(records))
	for i, record := range records {
		if record.Offset != int64(i) {
			return nil, fmt.Errorf("offset %d follows %d", record.Offset, i-1)
		}
		if values[i], err = strconv.ParseInt(string(record.Value), 10, 64); err != nil {
			return nil, err
		}
		if before, twice := seen[values[i]]; twice {
			return nil, fmt.Errorf("record number %d is at offset %d and at %d", values[i], before, i)
		}
		seen[values[i]] = record.Offset
	}
	for _, one := range p.acknowledged {
		if one.Offset < 0 || one.Offset >= int64(len(values)) || strconv.FormatInt(values[one.Offset], 10) != one.Value {
			return nil, fmt.Errorf("record number %s was acknowledged at offset %d and is not there; the log has %d records", one.Value, one.Offset, len(values))
		}
	}
	return values, nil
}
