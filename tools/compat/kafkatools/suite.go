// Package kafkatools runs Kafka's own command-line tools against Odradek and
// against Apache Kafka 4.4.0, command by command, and compares what they print.
// What may differ stands in differences.txt, with the reason.
package kafkatools

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
	"golang.org/x/sync/errgroup"

	"odradek.dev/tools/compat/pair"
	"odradek.dev/tools/compat/scenario"
	"odradek.dev/tools/internal/kafkadist"
)

// side is one of the two brokers and the JVM with the tools that ask it.
type side struct {
	addr, dataDir string
	keys          map[int16]bool
	tools         *kafkadist.Tools
	// members are those of groups that live until the end.
	members []*kgo.Client
}

type suite struct {
	kafka        kafkadist.Dist
	dir          string
	theirs, ours side
	differences  allowances
}

// Run starts both brokers and runs the steps, each a scenario.
func Run(ctx context.Context, t *scenario.Tally, odradek string, kafka kafkadist.Dist, dir string) (err error) {
	// The JVMs end with it.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	both, err := pair.Start(ctx, odradek, kafka, dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, both.Stop()) }()
	s := &suite{kafka: kafka, dir: dir, theirs: side{addr: both.Kafka.Addr, dataDir: both.Kafka.DataDir}, ours: side{addr: both.Odradek.Addr, dataDir: both.Odradek.DataDir}}
	if s.differences, err = parseDifferences(differencesFile); err != nil {
		return err
	}
	for _, one := range []*side{&s.theirs, &s.ours} {
		if one.keys, err = advertisedKeys(ctx, one.addr); err != nil {
			return err
		}
		if one.tools, err = kafka.StartTools(ctx, dir); err != nil {
			return err
		}
	}
	t.Run(ctx, "kafka tools", s.scenarios(t))
	for _, member := range slices.Concat(s.theirs.members, s.ours.members) {
		member.Close()
	}
	return errors.Join(s.theirs.tools.Close(), s.ours.tools.Close())
}

func advertisedKeys(ctx context.Context, addr string) (map[int16]bool, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(addr))
	if err != nil {
		return nil, err
	}
	defer client.Close()
	brokers, err := kadm.NewClient(client).ApiVersions(ctx)
	if err != nil {
		return nil, err
	}
	keys := map[int16]bool{}
	for _, broker := range brokers {
		for _, key := range broker.Raw().ApiKeys {
			keys[key.ApiKey] = true
		}
	}
	return keys, nil
}

func (s *suite) scenarios(t *scenario.Tally) []scenario.Scenario {
	var all []scenario.Scenario
	for _, one := range steps {
		if one.key != 0 && !s.ours.keys[one.key] {
			fmt.Fprintf(t.Out, "out  kafka tools: %s: API key %d is not served yet\n", one.name, one.key)
			continue
		}
		run := s.compare
		if len(one.join) > 0 {
			run = s.join
		}
		all = append(all, scenario.Scenario{Name: one.name, Run: func(ctx context.Context) error { return run(ctx, one) }})
	}
	return append(all, scenario.Scenario{Name: "every listed difference was seen", Run: func(context.Context) error { return s.differences.Unseen() }})
}

// settleTimeout is how long the brokers have to come to the same answer: Kafka
// shows a change of metadata a little after it has acknowledged it. Answers that
// stay different take all of it.
const settleTimeout = 30 * time.Second

func (s *suite) compare(ctx context.Context, one step) error {
	deadline := time.Now().Add(settleTimeout)
	for {
		theirs, ours, err := s.ask(ctx, one)
		if err != nil {
			return err
		}
		err = s.differences.compare(one.name, theirs, ours)
		if !strings.Contains(strings.Join(theirs, "\n"), one.says) {
			err = errors.Join(err, fmt.Errorf("kafka does not say %q:%s", one.says, show("kafka", theirs)))
		}
		if err == nil || one.changes || time.Now().After(deadline) {
			return err
		}
	}
}

// ask gives the command to both brokers at once and returns the lines that
// their answers come to.
func (s *suite) ask(ctx context.Context, one step) (theirs, ours []string, err error) {
	theirCall, err := one.call(s.theirs, s.dir)
	if err != nil {
		return nil, nil, err
	}
	ourCall, err := one.call(s.ours, s.dir)
	if err != nil {
		return nil, nil, err
	}
	both := errgroup.Group{}
	if one.alone {
		// Two more JVMs at once are too much for a machine of two cores.
		both.SetLimit(1)
	}
	both.Go(func() (err error) {
		theirs, err = s.run(ctx, one, s.theirs, theirCall)
		return err
	})
	both.Go(func() (err error) {
		ours, err = s.run(ctx, one, s.ours, ourCall)
		return err
	})
	return theirs, ours, both.Wait()
}

func (s *suite) run(ctx context.Context, one step, at side, call kafkadist.Call) ([]string, error) {
	run := at.tools.Run
	if one.alone {
		run = func(call kafkadist.Call) (kafkadist.Result, error) { return s.kafka.RunAlone(ctx, call) }
	}
	result, err := run(call)
	if err != nil {
		return nil, err
	}
	if one.compacted {
		result.Stdout = compacted(result.Stdout)
	}
	lines := normalise(result, at, one.normal)
	if one.unordered {
		slices.Sort(lines)
	}
	return lines, nil
}
