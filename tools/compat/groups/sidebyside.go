package groups

import (
	"context"
	"errors"
	"fmt"

	"github.com/twmb/franz-go/pkg/kadm"

	"odradek.dev/tools/compat/admin"
	"odradek.dev/tools/compat/scenario"
)

const (
	sharedTopic = "orders"
	partitions  = 6
	records     = 6000
	// perGroup is how many members each group has, which share the partitions.
	perGroup = 2
)

// besides are the groups that consume one topic at the same time.
var besides = []struct{ library, protocol string }{
	{"kcat", "classic"}, {"librdkafka", "classic"}, {"librdkafka", "consumer"}, {"sarama", "classic"}, {"kafka-go", "classic"},
	{"kafkajs", "classic"}, {"java", "classic"}, {"java", "consumer"}, {"franz-go", "classic"}, {"franz-go", "consumer"},
}

// sideBySide has a group of each library and protocol.
type sideBySide struct {
	addr      string
	libraries map[string]start
	groups    []*besideGroup
}

type besideGroup struct {
	name  string
	seat  seat
	start start
	// leave is nil before it has begun and after it has left.
	leave func() error
}

func newSideBySide(addr string, libraries map[string]start) *sideBySide {
	s := &sideBySide{addr: addr, libraries: libraries}
	for _, one := range besides {
		name := one.library + "-" + one.protocol
		s.groups = append(s.groups, &besideGroup{name: name, start: libraries[one.library],
			seat: seat{addr: addr, group: name, name: one.library, topic: sharedTopic, protocol: one.protocol, members: perGroup, ledger: newLedger()}})
	}
	return s
}

func (s *sideBySide) scenarios() []scenario.Scenario {
	all := []scenario.Scenario{{Name: fmt.Sprintf("%d groups of %d members join beside each other", len(s.groups), perGroup), Run: s.join}}
	for _, g := range s.groups {
		all = append(all, scenario.Scenario{Name: g.name + ": its members consume every record once and leave", Run: g.check})
	}
	return all
}

// join writes the records once every member has partitions, so that none is
// consumed twice because a member came late.
func (s *sideBySide) join(ctx context.Context) error {
	if err := admin.CreateTopic(ctx, s.addr, sharedTopic, partitions); err != nil {
		return err
	}
	var names []string
	for _, g := range s.groups {
		leave, err := g.start(g.seat)
		if err != nil {
			return fmt.Errorf("%s: %w", g.name, err)
		}
		g.leave, names = leave, append(names, g.name)
	}
	if err := awaitMembers(ctx, s.addr, perGroup, names...); err != nil {
		return errors.Join(err, s.faults())
	}
	return produce(ctx, s.addr, sharedTopic, 0, records)
}

func (s *sideBySide) faults() error {
	var all []error
	for _, g := range s.groups {
		all = append(all, g.seat.ledger.fault())
	}
	return errors.Join(all...)
}

// check waits until the group has all, has it leave, and looks what it
// committed.
func (g *besideGroup) check(ctx context.Context) error {
	if g.leave == nil {
		return errors.New("the group has not begun")
	}
	awaitErr := awaitRecords(ctx, g.seat.ledger, records)
	leave := g.leave
	g.leave = nil
	if err := errors.Join(awaitErr, leave()); err != nil {
		return err
	}
	return admin.Ask(g.seat.addr, func(client *kadm.Client) error {
		ends, err := endsOf(ctx, client, g.seat.topic)
		if err != nil {
			return err
		}
		return errors.Join(g.seat.ledger.judge(ends, perGroup), committedAll(ctx, client, g.seat.group, g.seat.topic, ends))
	})
}

// stop ends the groups whose scenario did not.
func (s *sideBySide) stop() error {
	var all []error
	for _, g := range s.groups {
		if g.leave != nil {
			all = append(all, g.leave())
		}
	}
	return errors.Join(all...)
}
