// Package churn has members of several client libraries join the same groups,
// leave them, die and stop, under a producer and a broker that crashes, by a
// schedule that a seed repeats; and holds what the members tell against what a
// group promises.
package churn

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"odradek.dev/tools/compat/admin"
	"odradek.dev/tools/compat/scenario"
	"odradek.dev/tools/internal/brokerproc"
	"odradek.dev/tools/internal/kafkadist"
	"odradek.dev/tools/internal/stalls"
)

const (
	topic      = "churned"
	partitions = 8

	sessionTimeout   = 6 * time.Second
	rebalanceTimeout = 10 * time.Second
	// settleWithin is how long a group may take to be stable, or empty, once
	// nothing happens to it any more. As wherever something has to happen in time,
	// only that counts in which the machine runs.
	settleWithin = sessionTimeout + rebalanceTimeout
)

// Options is what a run is drawn from.
type Options struct {
	Seed uint64
	// Length is how long things happen.
	Length time.Duration
}

// Usual is a run short enough for every change.
var Usual = Options{Seed: 5, Length: 2 * time.Minute}

type suite struct {
	Options
	broker    *brokerproc.Broker
	libraries libraries
	groups    []*group
	schedule  []moment
	ledgers   map[*group]*ledger
	// running are the members that were started and neither told to leave nor
	// killed; leaving were told to.
	running map[string]*member
	leaving []*member
	traffic *traffic
	ends    map[int32]int64
	machine *stalls.Watch
}

// Run starts a broker, and the members of the schedule one after another.
func Run(ctx context.Context, t *scenario.Tally, odradek string, kafka kafkadist.Dist, bin, dir string, o Options) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &suite{Options: o, ledgers: make(map[*group]*ledger), running: make(map[string]*member), groups: groups(), machine: stalls.Start()}
	defer s.machine.End()
	for _, g := range s.groups {
		s.ledgers[g] = newLedger(s.after)
	}
	s.schedule = draw(o.Seed, o.Length, s.groups)
	if s.libraries, err = prepareLibraries(ctx, kafka, bin, dir); err != nil {
		return err
	}
	if s.broker, err = brokerproc.New(odradek, dir, brokerConfig()...); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.broker.Kill()) }()
	if err := s.broker.Start(ctx); err != nil {
		return err
	}
	if err := admin.CreateTopic(ctx, s.broker.Addr, topic, partitions); err != nil {
		return err
	}
	if s.traffic, err = startTraffic(ctx, s.broker.Addr); err != nil {
		return err
	}
	defer s.endMembers()
	t.Run(ctx, "churn", s.scenarios())
	return nil
}

// groups has kafka-go in a group by itself: what it says of its subscription
// cannot be read by Java, nor can it read what others say.
func groups() []*group {
	return []*group{
		{name: "classic", protocol: "classic", libraries: []string{"franz-go", "java", "librdkafka", "sarama"}},
		{name: "alone", protocol: "classic", libraries: []string{"kafka-go", "kafka-go"}},
		{name: "consumer", protocol: "consumer", libraries: []string{"franz-go", "java", "librdkafka"}},
	}
}

// brokerConfig makes the sessions of both protocols short.
func brokerConfig() (args []string) {
	for _, setting := range []string{
		"group.initial.rebalance.delay.ms=500",
		fmt.Sprintf("group.consumer.min.session.timeout.ms=%d", sessionTimeout.Milliseconds()),
		fmt.Sprintf("group.consumer.session.timeout.ms=%d", sessionTimeout.Milliseconds()),
		"group.consumer.min.heartbeat.interval.ms=1000",
		"group.consumer.heartbeat.interval.ms=1000",
	} {
		args = append(args, "-X", setting)
	}
	return args
}

func (s *suite) scenarios() []scenario.Scenario {
	return []scenario.Scenario{
		{Name: fmt.Sprintf("%d things happen in %v, drawn by seed %d", len(s.schedule), s.Length, s.Seed), Run: s.happen, Within: s.Length + scenario.Timeout},
		{Name: fmt.Sprintf("groups are stable within %v of the end", settleWithin), Run: s.settle},
		{Name: "groups commit all there is", Run: s.drain},
		{Name: fmt.Sprintf("groups are empty within %v of their members' leaving", settleWithin), Run: s.empty},
		{Name: "every library took part", Run: s.check(func(g *group, l *ledger) []string { return l.idle(g.libraries) })},
		{Name: fmt.Sprintf("every member makes progress within %v of a start of the broker, or of the last change of its group (kafka-go: %v)", progressWithin, progressOf("kafka-go")),
			Run: s.check(func(_ *group, l *ledger) []string { return l.silent() })},
		{Name: "every record is processed at least once", Run: s.check(func(_ *group, l *ledger) []string { return l.unconsumed(s.ends) })},
		{Name: "nothing is skipped, and nothing repeated that was known to be committed", Run: s.check(func(_ *group, l *ledger) []string { return l.jumps() })},
		{Name: "no partition is owned twice in one generation", Run: s.check(func(_ *group, l *ledger) []string { return l.shared() })},
	}
}

// most is how many faults are worth reading.
const most = 5

// check holds the ledger of each group to a rule.
func (s *suite) check(rule func(*group, *ledger) []string) func(context.Context) error {
	return func(context.Context) error {
		var failures []error
		for _, g := range s.groups {
			if faults := rule(g, s.ledgers[g]); len(faults) > 0 {
				failures = append(failures, fmt.Errorf("group %s, %d faults; the schedule comes again with seed %d:\n\t%s",
					g.name, len(faults), s.Seed, strings.Join(faults[:min(most, len(faults))], "\n\t")))
			}
		}
		return errors.Join(failures...)
	}
}
