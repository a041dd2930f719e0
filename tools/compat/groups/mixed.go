package groups

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"syscall"

	"github.com/twmb/franz-go/pkg/kadm"

	"odradek.dev/tools/compat/admin"
	"odradek.dev/tools/compat/scenario"
	"odradek.dev/tools/internal/brokerproc"
)

const (
	mixedGroup = "mixed"
	mixedTopic = "payments"
	// kills is how often the process of the assignor is killed.
	kills = 3
)

// seats are the members of the mixed group, in the order in which they join.
// The first two make weighted the assignor of most members of the new protocol;
// for the last, which speaks the classic one, the broker decides all the same.
var seats = []struct{ library, protocol, assignor string }{
	{"java", "consumer", "weighted"}, {"librdkafka", "consumer", "weighted"}, {"franz-go", "consumer", ""}, {"franz-go", "classic", ""},
}

// mixed is one group with members of several libraries, whose assignor runs in a
// process of its own.
type mixed struct {
	broker    *brokerproc.Broker
	libraries map[string]start
	ledger    *ledger
	leaves    []func() error
	traffic   *traffic
}

func (m *mixed) scenarios() []scenario.Scenario {
	return []scenario.Scenario{
		{Name: "java, librdkafka and franz-go are in one group, and an assignor that a third party wrote decides", Run: m.join},
		{Name: "killing the assignor is no rebalance", Run: m.killAlone},
		{Name: fmt.Sprintf("members join and leave while the assignor is killed, %d times", kills), Run: m.killAndJoin},
		{Name: "the mixed group consumed every record once", Run: m.check},
	}
}

func (m *mixed) seat(library, protocol, assignor, name string) (leave func() error, err error) {
	return m.libraries[library](seat{
		addr: m.broker.Addr, group: mixedGroup, topic: mixedTopic, name: name, protocol: protocol, assignor: assignor, members: 1, ledger: m.ledger,
	})
}

// join seats the members one after another, and has records flow.
func (m *mixed) join(ctx context.Context) error {
	if err := admin.CreateTopic(ctx, m.broker.Addr, mixedTopic, partitions); err != nil {
		return err
	}
	m.traffic = startTraffic(m.broker.Addr, mixedTopic)
	for number, one := range seats {
		leave, err := m.seat(one.library, one.protocol, one.assignor, one.library+"-"+one.protocol)
		if err != nil {
			return err
		}
		m.leaves = append(m.leaves, leave)
		if err := awaitMembers(ctx, m.broker.Addr, number+1, mixedGroup); err != nil {
			return errors.Join(err, m.ledger.fault())
		}
	}
	assignor, err := m.assignor(ctx)
	if err != nil {
		return err
	}
	if now, err := weighted(ctx, m.broker); err != nil || assignor != "weighted" || now.Calls == 0 || now.Fallbacks > 0 {
		return fmt.Errorf("the group's assignor is %q, and plugin list says %+v: %w", assignor, now, err)
	}
	return nil
}

func (m *mixed) describe(ctx context.Context) (group kadm.DescribedConsumerGroup, err error) {
	err = admin.Ask(m.broker.Addr, func(client *kadm.Client) error {
		all, err := client.DescribeConsumerGroups(ctx, mixedGroup)
		group = all[mixedGroup]
		return errors.Join(err, group.Err)
	})
	return group, err
}

func (m *mixed) assignor(ctx context.Context) (string, error) {
	group, err := m.describe(ctx)
	return group.AssignorName, err
}

// kill ends the process of the assignor, and returns what it was.
func (m *mixed) kill(ctx context.Context) (module, error) {
	before, err := awaitWeighted(ctx, m.broker, func(now module) bool { return now.State == "running" })
	if err != nil {
		return before, err
	}
	return before, syscall.Kill(before.PID, syscall.SIGKILL)
}

func (m *mixed) awaitBack(ctx context.Context, killed module) error {
	_, err := awaitWeighted(ctx, m.broker, func(now module) bool { return now.State == "running" && now.PID != killed.PID })
	return err
}

func (m *mixed) killAlone(ctx context.Context) error {
	before, err := m.describe(ctx)
	if err != nil {
		return err
	}
	killed, err := m.kill(ctx)
	if err != nil {
		return err
	}
	if err := m.awaitBack(ctx, killed); err != nil {
		return err
	}
	after, err := m.describe(ctx)
	if err == nil && after.Epoch != before.Epoch {
		err = fmt.Errorf("the group's epoch went from %d to %d", before.Epoch, after.Epoch)
	}
	return err
}

// killAndJoin has the group need an assignment just when nobody can make it,
// and another when the assignor is back: each is one rebalance and no more.
func (m *mixed) killAndJoin(ctx context.Context) error {
	before, err := m.describe(ctx)
	if err != nil {
		return err
	}
	for range kills {
		killed, err := m.kill(ctx)
		if err != nil {
			return err
		}
		leave, err := m.seat("librdkafka", "consumer", "weighted", "late")
		if err != nil {
			return err
		}
		err = errors.Join(awaitMembers(ctx, m.broker.Addr, len(seats)+1, mixedGroup), m.awaitBack(ctx, killed), leave())
		if err != nil {
			return err
		}
		if err := awaitMembers(ctx, m.broker.Addr, len(seats), mixedGroup); err != nil {
			return err
		}
		if _, err := awaitWeighted(ctx, m.broker, func(now module) bool { return now.Calls > killed.Calls }); err != nil {
			return err
		}
	}
	after, err := m.describe(ctx)
	if rebalances := after.Epoch - before.Epoch; err == nil && rebalances != 2*kills {
		err = fmt.Errorf("there were %d rebalances, want %d", rebalances, 2*kills)
	}
	return err
}

// check ends the records and looks who consumed what. The members that were
// late count as one.
func (m *mixed) check(ctx context.Context) error {
	if m.traffic == nil {
		return errors.New("nobody has joined")
	}
	sent, err := m.traffic.stop()
	if err != nil {
		return err
	}
	if err := errors.Join(awaitRecords(ctx, m.ledger, sent), m.stop()); err != nil {
		return err
	}
	return admin.Ask(m.broker.Addr, func(client *kadm.Client) error {
		ends, err := endsOf(ctx, client, mixedTopic)
		if err != nil {
			return err
		}
		return errors.Join(m.ledger.judge(ends, len(seats)+1), committedAll(ctx, client, mixedGroup, mixedTopic, ends))
	})
}

// stop has everybody leave, the classic member first: when the last of the new
// protocol goes, the group becomes a classic one at a generation that a classic
// member has yet to hear of, and until then its commits are refused.
func (m *mixed) stop() (err error) {
	if m.traffic != nil {
		_, err = m.traffic.stop()
	}
	slices.Reverse(m.leaves)
	leave := together(m.leaves)
	m.leaves = nil
	return errors.Join(err, leave())
}
