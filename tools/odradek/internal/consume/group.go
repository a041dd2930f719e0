package consume

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	"odradek.dev/tools/odradek/internal/choice"
)

// member is the flags of a consumer that joins a group.
type member struct {
	group    string
	protocol choice.One
}

func (m *member) bindGroup(cmd *cobra.Command) {
	cmd.Flags().StringVar(&m.group, "group", "", "join this group, begin where it is, and commit what was printed")
	m.protocol = choice.NewOne("classic", "consumer")
	cmd.Flags().Var(&m.protocol, "group-protocol", "how to join: classic or consumer, which is KIP-848's")
	cmd.MarkFlagsMutuallyExclusive("group", "partition")
}

// options are those of a member that commits only what was printed.
func (m *member) options(topic string, from position) ([]kgo.Opt, error) {
	begin := kgo.NewOffset()
	switch from.kind {
	case beginning:
		begin = begin.AtStart()
	case end:
		begin = begin.AtEnd()
	case timestamp:
		begin = begin.AfterMilli(from.unixMs)
	default:
		return nil, errors.New("with --group, --from is where the group begins in partitions that it has no offset for: beginning, end or a time; `odradek group reset` moves a group")
	}
	options := []kgo.Opt{
		kgo.ConsumerGroup(m.group), kgo.ConsumeTopics(topic), kgo.ConsumeResetOffset(begin), kgo.DisableAutoCommit(), kgo.BlockRebalanceOnPoll(),
	}
	if m.protocol.Chosen == "consumer" {
		options = append(options, kgo.ServerSideBalancer())
	}
	return options, nil
}

// idle is how long nothing comes before the member looks whether the others of
// the group have come to the end.
const idle = time.Second

// runMember prints what the group gives to this member.
func (c *consuming) runMember(ctx context.Context, topic string, from position, out *printer) error {
	options, err := c.options(topic, from)
	if err != nil {
		return err
	}
	client, err := c.Connect(ctx, append(options, kgo.KeepControlRecords())...)
	if err != nil {
		return err
	}
	defer client.CloseAllowingRebalance()
	admin := kadm.NewClient(client)
	spans, err := c.plan(ctx, admin, topic, from)
	if err != nil {
		return err
	}
	committed, err := c.committed(ctx, admin, topic)
	if err != nil {
		return err
	}
	for partition, at := range committed {
		spans[partition] = span{at, spans[partition].until}
	}
	progress := newProgress(spans, c.exitAtEnd, c.count)
	for !progress.done() && err == nil && ctx.Err() == nil {
		err = c.turn(ctx, client, admin, topic, progress, out)
	}
	return errors.Join(err, out.flush())
}

// turn prints what one fetch brought and then commits it, so that what was not
// printed is not lost to the group.
func (c *consuming) turn(ctx context.Context, client *kgo.Client, admin *kadm.Client, topic string, progress *progress, out *printer) error {
	defer client.AllowRebalance()
	poll, cancel := context.WithTimeout(ctx, idle)
	defer cancel()
	fetches := client.PollRecords(poll, int(max(progress.left, 0)))
	switch {
	case ctx.Err() != nil:
		return nil
	case poll.Err() != nil && fetches.NumRecords() == 0:
		committed, err := c.committed(ctx, admin, topic)
		progress.passed(committed)
		return err
	}
	for _, failure := range fetches.Errors() {
		if !errors.Is(failure.Err, context.DeadlineExceeded) {
			return fmt.Errorf("partition %d of topic %q: %w", failure.Partition, failure.Topic, failure.Err)
		}
	}
	for records := fetches.RecordIter(); !records.Done(); {
		if record := records.Next(); progress.takeAny(record.Partition, record.Offset, record.Attrs.IsControl()) {
			if err := out.record(record); err != nil {
				return err
			}
		}
	}
	if err := out.flush(); err != nil {
		return err
	}
	if err := client.CommitRecords(ctx, fetches.Records()...); err != nil && ctx.Err() == nil {
		return fmt.Errorf("committing for group %q: %w", c.group, err)
	}
	return nil
}

// committed is where the group is, whoever of it came there. While its
// coordinator is not ready that is not known, and nothing is wrong: it is asked
// again.
func (m *member) committed(ctx context.Context, admin *kadm.Client, topic string) (map[int32]int64, error) {
	fetched, err := admin.FetchOffsets(ctx, m.group)
	switch {
	case kerr.IsRetriable(err):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("asking for the offsets of group %q: %w", m.group, err)
	}
	committed := map[int32]int64{}
	for partition, o := range fetched[topic] {
		if o.Err == nil && o.At >= 0 {
			committed[partition] = o.At
		}
	}
	return committed, nil
}
