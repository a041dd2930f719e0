package groups

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/twmb/franz-go/pkg/kadm"
	"golang.org/x/sync/errgroup"

	"odradek.dev/tools/compat/admin"
	"odradek.dev/tools/compat/pair"
	"odradek.dev/tools/compat/scenario"
	"odradek.dev/tools/internal/kafkadist"
)

const migratingName = "migrating"

// migrationSettings let the group change its protocol both ways, and have it do
// so within a moment.
var migrationSettings = []string{
	"group.consumer.migration.policy=bidirectional",
	"group.initial.rebalance.delay.ms=0",
	"group.consumer.assignment.interval.ms=0",
	"group.consumer.min.heartbeat.interval.ms=500",
	"group.consumer.heartbeat.interval.ms=500",
}

// stages are what happens to the group, one after another: members join or
// leave, whose protocol their name begins with, and the group is of a type then.
var stages = []struct {
	joins, leaves []string
	groupType     string
}{
	{joins: []string{"classic-a", "classic-b"}, groupType: "classic"},
	{joins: []string{"consumer-a"}, groupType: "consumer"},
	{leaves: []string{"classic-a", "classic-b"}, groupType: "consumer"},
	{joins: []string{"classic-c", "classic-d"}, groupType: "consumer"},
	{leaves: []string{"consumer-a"}, groupType: "classic"},
	{joins: []string{"consumer-b"}, groupType: "consumer"},
}

// migrate has it happen on Kafka too, at the same time.
func migrate(ctx context.Context, t *scenario.Tally, odradek string, kafka kafkadist.Dist, dir string) (err error) {
	brokers, err := pair.Start(ctx, odradek, kafka, filepath.Join(dir, "migration"), migrationSettings...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, brokers.Stop()) }()
	ours, theirs := newMigration("Odradek", brokers.Odradek.Addr), newMigration("Kafka", brokers.Kafka.Addr)
	t.Run(ctx, "groups", []scenario.Scenario{{
		Name: "a group goes from the classic to the consumer protocol and back while records flow, and skips none, here and on Kafka",
		Run: func(ctx context.Context) error {
			var both errgroup.Group
			both.Go(func() error { return ours.run(ctx) })
			both.Go(func() error { return theirs.run(ctx) })
			return both.Wait()
		},
	}})
	return errors.Join(ours.stop(), theirs.stop())
}

// migration is the group on one broker.
type migration struct {
	broker  string
	addr    string
	ledger  *ledger
	traffic *traffic
	// members are those that are in the group; each is called to leave.
	members map[string]func() error
}

func newMigration(broker, addr string) *migration {
	return &migration{broker: broker, addr: addr, ledger: newLedger(), members: map[string]func() error{}}
}

func (m *migration) run(ctx context.Context) error {
	if err := m.through(ctx); err != nil {
		return fmt.Errorf("%s: %w", m.broker, err)
	}
	return nil
}

func (m *migration) through(ctx context.Context) error {
	if err := admin.CreateTopic(ctx, m.addr, migratingName, partitions); err != nil {
		return err
	}
	m.traffic = startTraffic(m.addr, migratingName)
	for number, stage := range stages {
		if err := m.change(stage.joins, stage.leaves); err != nil {
			return err
		}
		if err := m.settle(ctx, stage.groupType); err != nil {
			return fmt.Errorf("stage %d, %+v: %w", number+1, stage, errors.Join(err, m.ledger.fault()))
		}
	}
	sent, err := m.traffic.stop()
	if err != nil {
		return err
	}
	if err := errors.Join(awaitRecords(ctx, m.ledger, sent), m.stop()); err != nil {
		return err
	}
	return m.judge(ctx)
}

func (m *migration) change(joins, leaves []string) error {
	for _, name := range joins {
		protocol, _, _ := strings.Cut(name, "-")
		leave, err := startFranz(seat{addr: m.addr, group: migratingName, topic: migratingName, name: name, protocol: protocol, members: 1, moves: true, ledger: m.ledger})
		if err != nil {
			return err
		}
		m.members[name] = leave
	}
	for _, name := range leaves {
		leave := m.members[name]
		delete(m.members, name)
		if err := leave(); err != nil {
			return err
		}
	}
	return nil
}

// settle returns when the members that are left have the group, which is of the
// right type, and all records that were written before.
func (m *migration) settle(ctx context.Context, groupType string) error {
	if err := awaitMembers(ctx, m.addr, len(m.members), migratingName); err != nil {
		return err
	}
	return admin.Ask(m.addr, func(client *kadm.Client) error {
		listed, err := client.ListGroups(ctx)
		if err != nil {
			return err
		}
		if got := listed[migratingName].GroupType; got != groupType {
			return fmt.Errorf("the group is a %s one", got)
		}
		ends, err := endsOf(ctx, client, migratingName)
		if err != nil {
			return err
		}
		written := int64(0)
		for _, end := range ends {
			written += end
		}
		if err := awaitRecords(ctx, m.ledger, int(written)); err != nil {
			return err
		}
		return m.settleOffsets(ctx, client)
	})
}

// settleOffsets has nobody consume again what is committed now, whatever comes.
func (m *migration) settleOffsets(ctx context.Context, client *kadm.Client) error {
	offsets, err := client.FetchOffsets(ctx, migratingName)
	committed := map[int32]int64{}
	offsets.Each(func(o kadm.OffsetResponse) { committed[o.Partition] = o.At })
	m.ledger.settled(committed)
	return err
}

// judge allows that a record is consumed again in each stage: what was consumed
// before the group changed cannot be committed by who has yet to hear of it.
func (m *migration) judge(ctx context.Context) error {
	return admin.Ask(m.addr, func(client *kadm.Client) error {
		ends, err := endsOf(ctx, client, migratingName)
		if err != nil {
			return err
		}
		members := 0
		for _, stage := range stages {
			members += len(stage.joins)
		}
		return errors.Join(m.ledger.judgeRepeated(ends, members, len(stages)), committedAll(ctx, client, migratingName, migratingName, ends))
	})
}

// stop has everybody leave, the classic members first, since the group becomes a
// classic one without the others.
func (m *migration) stop() (err error) {
	if m.traffic != nil {
		_, err = m.traffic.stop()
	}
	var leaves []func() error
	for _, name := range slices.Sorted(maps.Keys(m.members)) {
		leaves = append(leaves, m.members[name])
	}
	clear(m.members)
	return errors.Join(err, together(leaves)())
}
