package groups

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"golang.org/x/sync/errgroup"

	"odradek.dev/tools/compat/admin"
	"odradek.dev/tools/compat/pair"
	"odradek.dev/tools/compat/scenario"
	"odradek.dev/tools/internal/kafkadist"
)

// The groups that are in the log when their protocol is taken away: one has a
// member still.
const (
	inhabited = "inhabited"
	deserted  = "deserted"
)

const withoutConsumer = "group.coordinator.rebalance.protocols=classic"

// takeAway starts both brokers once more, without the consumer protocol, and
// compares what they say of the groups that they have.
func takeAway(ctx context.Context, t *scenario.Tally, odradek string, kafka kafkadist.Dist, dir string) (err error) {
	brokers, err := pair.Start(ctx, odradek, kafka, filepath.Join(dir, "protocols"), "group.initial.rebalance.delay.ms=0", "offsets.topic.num.partitions=4")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, brokers.Stop()) }()
	t.Run(ctx, "groups", []scenario.Scenario{{
		Name: "consumer groups stay when their protocol is taken away, here and on Kafka",
		Run: func(ctx context.Context) error {
			var ours, theirs []string
			var both errgroup.Group
			both.Go(func() (err error) {
				ours, err = sayWithout(ctx, brokers.Odradek.Addr, func() error {
					brokers.Odradek.Args = append(brokers.Odradek.Args, "-X", withoutConsumer)
					return errors.Join(brokers.Odradek.Stop(), brokers.Odradek.Start(ctx))
				})
				return err
			})
			both.Go(func() (err error) {
				theirs, err = sayWithout(ctx, brokers.Kafka.Addr, func() error {
					brokers.Kafka.Settings = append(slices.Clone(brokers.Kafka.Settings), withoutConsumer)
					return errors.Join(brokers.Kafka.Stop(), brokers.Kafka.Start(ctx))
				})
				return err
			})
			err := both.Wait()
			if err == nil && !slices.Equal(ours, theirs) {
				err = fmt.Errorf("odradek says\n%q\nand kafka\n%q", ours, theirs)
			}
			return err
		},
	}})
	return nil
}

// sayWithout makes the groups, has the broker start again, and returns what it
// says of them then.
func sayWithout(ctx context.Context, addr string, restart func() error) ([]string, error) {
	if err := admin.CreateTopic(ctx, addr, migratingName, partitions); err != nil {
		return nil, err
	}
	a, err := newAsking(ctx, addr)
	if err != nil {
		return nil, err
	}
	defer a.client.Close()
	for _, group := range []string{inhabited, deserted} {
		a.populate(group)
	}
	a.heartbeat(deserted, -1)
	if err := errors.Join(a.err, restart()); err != nil {
		return nil, err
	}
	a.says = nil
	a.list(2)
	a.describe(inhabited, deserted, "absent", "")
	a.heartbeat(inhabited, 0)
	a.heartbeat(inhabited, -1)
	a.heartbeat("", 0)
	for _, group := range []string{deserted, inhabited, "new"} {
		a.join(group, a.join(group, ""))
		a.heartbeat(group, 0)
	}
	a.list(3)
	return a.says, a.err
}
