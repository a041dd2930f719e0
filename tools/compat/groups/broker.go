package groups

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"odradek.dev/tools/compat/admin"
)

// pace is how often the broker is asked for what has to come.
const pace = 50 * time.Millisecond

// produce writes records from to to, partition by partition in turn.
func produce(ctx context.Context, addr, topic string, from, to int) error {
	var batch []*kgo.Record
	for n := from; n < to; n++ {
		batch = append(batch, &kgo.Record{Topic: topic, Partition: int32(n % partitions), Value: strconv.AppendInt(nil, int64(n), 10)})
	}
	return send(ctx, addr, batch)
}

func send(ctx context.Context, addr string, batch []*kgo.Record) error {
	client, err := kgo.NewClient(kgo.SeedBrokers(addr), kgo.RecordPartitioner(kgo.ManualPartitioner()))
	if err != nil {
		return err
	}
	defer client.Close()
	return client.ProduceSync(ctx, batch...).FirstErr()
}

// awaitMembers waits until each group is stable with so many members.
func awaitMembers(ctx context.Context, addr string, members int, groups ...string) error {
	return admin.Ask(addr, func(client *kadm.Client) error {
		for {
			missing, err := unready(ctx, client, members, groups)
			if err == nil && missing == "" {
				return nil
			}
			select {
			case <-ctx.Done():
				return fmt.Errorf("%s: %w", missing, errors.Join(err, ctx.Err()))
			case <-time.After(pace):
			}
		}
	})
}

// unready describes a group that is not stable with so many members.
func unready(ctx context.Context, client *kadm.Client, members int, groups []string) (missing string, err error) {
	listed, err := client.ListGroups(ctx)
	if err != nil {
		return "", err
	}
	for _, group := range groups {
		var count int
		// The state is that of the same moment as the members.
		var state string
		if listed[group].GroupType == "consumer" {
			described, err := client.DescribeConsumerGroups(ctx, group)
			if err != nil {
				return "", err
			}
			count, state = len(described[group].Members), described[group].State
		} else {
			described, err := client.DescribeGroups(ctx, group)
			if err != nil {
				return "", err
			}
			count, state = len(described[group].Members), described[group].State
		}
		if state != "Stable" || count != members {
			return fmt.Sprintf("group %s is %q with %d members, want Stable with %d", group, state, count, members), nil
		}
	}
	return "", nil
}

// awaitRecords waits until so many records were consumed, or a member failed.
func awaitRecords(ctx context.Context, l *ledger, want int) error {
	for {
		count, changed, failed := l.distinct()
		if count >= want || failed {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%d records were consumed of %d: %w", count, want, ctx.Err())
		case <-changed:
		}
	}
}

func endsOf(ctx context.Context, client *kadm.Client, topic string) (map[int32]int64, error) {
	listed, err := client.ListEndOffsets(ctx, topic)
	if err != nil {
		return nil, err
	}
	ends := map[int32]int64{}
	listed.Each(func(o kadm.ListedOffset) { ends[o.Partition] = o.Offset })
	return ends, listed.Error()
}

// committedAll returns an error unless the group has committed up to the ends.
func committedAll(ctx context.Context, client *kadm.Client, group, topic string, ends map[int32]int64) error {
	offsets, err := client.FetchOffsets(ctx, group)
	if err != nil {
		return err
	}
	var all []error
	for partition, end := range ends {
		if got, _ := offsets.Lookup(topic, partition); got.At != end {
			all = append(all, fmt.Errorf("group %s committed %d in partition %d, which ends at %d", group, got.At, partition, end))
		}
	}
	return errors.Join(all...)
}
