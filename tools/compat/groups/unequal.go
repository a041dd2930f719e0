package groups

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"odradek.dev/tools/compat/admin"
	"odradek.dev/tools/compat/scenario"
	"odradek.dev/tools/internal/brokerproc"
)

// unequalName is a group and its topic.
const unequalName = "unequal"

var (
	// waiting is how many records wait in each partition.
	waiting = [partitions]int{300, 300, 200, 10, 10, 10}
	// heavyHas is for the member of weight 3, and othersHave for the two of weight
	// 1: nobody has more than 200 for its weight. Whether only the weights, only
	// the lags or neither counts, nobody has three partitions beside one of two.
	heavyHas   = []int32{0, 1}
	othersHave = [][]int32{{2}, {3, 4, 5}}
)

// unequal is a group of a Java, a librdkafka and a franz-go member, in which an
// assignor that a third party wrote decides as none of the broker's would. The
// member of franz-go is a classic one, since only those have user data; the
// others weigh as much as the assignor's settings say.
type unequal struct {
	broker    *brokerproc.Broker
	libraries map[string]start
	ledger    *ledger
	leaves    []func() error
}

func (u *unequal) scenarios() []scenario.Scenario {
	return []scenario.Scenario{
		{Name: "a third party's assignor shares lag out by user data among java, librdkafka and franz-go", Run: u.run},
	}
}

func (u *unequal) run(ctx context.Context) error {
	if err := u.prepare(ctx); err != nil {
		return err
	}
	for number, library := range []string{"java", "librdkafka", "franz-go"} {
		leave, err := u.libraries[library](u.seat(library))
		if err != nil {
			return err
		}
		u.leaves = append(u.leaves, leave)
		if err := awaitMembers(ctx, u.broker.Addr, number+1, unequalName); err != nil {
			return errors.Join(err, u.ledger.fault())
		}
	}
	all := errors.Join(u.checkHoldings(ctx), u.checkDecider(ctx), awaitRecords(ctx, u.ledger, waits()), u.ledger.fault())
	return errors.Join(all, u.stop())
}

// seat commits nothing, so that what waits stays.
func (u *unequal) seat(library string) seat {
	one := seat{addr: u.broker.Addr, group: unequalName, topic: unequalName, name: library, protocol: "consumer", assignor: "weighted", members: 1, commitsNothing: true, ledger: u.ledger}
	if library == "franz-go" {
		one.protocol, one.assignor, one.weight = "classic", "", "3"
	}
	return one
}

// prepare writes the records that wait: the group has committed that it begins
// before them.
func (u *unequal) prepare(ctx context.Context) error {
	if err := admin.CreateTopic(ctx, u.broker.Addr, unequalName, partitions); err != nil {
		return err
	}
	var batch []*kgo.Record
	begin := kadm.Offsets{}
	for partition, count := range waiting {
		begin.AddOffset(unequalName, int32(partition), 0, -1)
		for range count {
			batch = append(batch, &kgo.Record{Topic: unequalName, Partition: int32(partition)})
		}
	}
	if err := send(ctx, u.broker.Addr, batch); err != nil {
		return err
	}
	return admin.Ask(u.broker.Addr, func(client *kadm.Client) error { return client.CommitAllOffsets(ctx, unequalName, begin) })
}

func waits() (sum int) {
	for _, count := range waiting {
		sum += count
	}
	return sum
}

func (u *unequal) checkHoldings(ctx context.Context) error {
	var heavy []int32
	var others [][]int32
	err := admin.Ask(u.broker.Addr, func(client *kadm.Client) error {
		all, err := client.DescribeConsumerGroups(ctx, unequalName)
		for _, m := range all[unequalName].Members {
			held := slices.Sorted(maps.Keys(m.Assignment[unequalName]))
			if strings.HasPrefix(m.ClientID, "franz-go") {
				heavy = held
			} else {
				others = append(others, held)
			}
		}
		return errors.Join(err, all[unequalName].Err)
	})
	slices.SortFunc(others, slices.Compare[[]int32])
	if err == nil && (!slices.Equal(heavy, heavyHas) || !slices.EqualFunc(others, othersHave, slices.Equal)) {
		err = fmt.Errorf("the member of weight 3 has %v and the others %v, want %v and %v", heavy, others, heavyHas, othersHave)
	}
	return err
}

// checkDecider asks `odradek group explain` and plugin list.
func (u *unequal) checkDecider(ctx context.Context) error {
	out, err := exec.CommandContext(ctx, u.broker.Binary, "group", "explain", unequalName, "--admin", u.broker.Admin, "-o", "json").Output()
	if err != nil {
		return err
	}
	var explained struct {
		Assignor        string
		Known, Fallback bool
	}
	if err := json.Unmarshal(out, &explained); err != nil {
		return err
	}
	if explained.Assignor != "weighted" || !explained.Known || explained.Fallback {
		return fmt.Errorf("group explain says %+v", explained)
	}
	if now, err := weighted(ctx, u.broker); err != nil || now.Calls == 0 || now.Fallbacks > 0 {
		return fmt.Errorf("plugin list says %+v: %w", now, err)
	}
	return nil
}

// stop has the classic member leave first, as [mixed.stop] does.
func (u *unequal) stop() error {
	slices.Reverse(u.leaves)
	leave := together(u.leaves)
	u.leaves = nil
	return leave()
}
