// Package consume is the command `odradek consume`.
package consume

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"odradek.dev/tools/odradek/internal/cluster"
)

type consuming struct {
	cluster.Flags
	member
	from       string
	partitions []int32
	count      int64
	format     string
	exitAtEnd  bool
}

// Command makes `consume`.
func Command() *cobra.Command {
	var c consuming
	cmd := &cobra.Command{
		Use:   "consume TOPIC",
		Short: "Print the records of a topic",
		Long: `Print the records of a topic, as a reader of its own or, with --group, as a
member of a group, which commits what it has printed.

--format takes franz-go's verbs: %v value, %k key, %t topic, %p partition,
%o offset, %d timestamp in milliseconds (%d{go#RFC3339#} as a date),
%h{%k=%v } headers, %K and %V lengths, %e leader epoch, %% a percent sign,
\n and \t. With -o json every record is one line of JSON whose key, value and
header values are base64.`,
		Example: `  odradek consume words --exit-at-end
  odradek consume chat --from @-15m --format '%p/%o %k: %v\n'
  odradek consume chat --partition 2 --from 1000 --count 5
  odradek consume chat --group readers --exit-at-end`,
		Args: cobra.ExactArgs(1),
		RunE: c.run,
	}
	c.Bind(cmd)
	flags := cmd.Flags()
	flags.StringVar(&c.from, "from", "beginning", "beginning, end, an offset, -N before the end, a time, @milliseconds, @-15m")
	flags.Int32SliceVar(&c.partitions, "partition", nil, "only these partitions")
	flags.Int64Var(&c.count, "count", 0, "stop after so many records; 0 for no limit")
	flags.StringVar(&c.format, "format", `%v\n`, "how to print a record")
	flags.BoolVar(&c.exitAtEnd, "exit-at-end", false, "stop at what was the end when the command began")
	c.bindGroup(cmd)
	return cmd
}

func (c *consuming) run(cmd *cobra.Command, args []string) error {
	topic := args[0]
	from, err := parsePosition(c.from, time.Now())
	if err != nil {
		return err
	}
	if c.count < 0 {
		return fmt.Errorf("--count %d must not be negative", c.count)
	}
	out, err := newPrinter(cmd.OutOrStdout(), c.Output, c.format)
	if err != nil {
		return err
	}
	if c.group != "" {
		return c.runMember(cmd.Context(), topic, from, out)
	}
	return c.runAlone(cmd.Context(), topic, from, out)
}

// runAlone prints partitions without a group.
func (c *consuming) runAlone(ctx context.Context, topic string, from position, out *printer) error {
	client, err := c.Connect(ctx, kgo.KeepControlRecords())
	if err != nil {
		return err
	}
	defer client.Close()
	spans, err := c.plan(ctx, kadm.NewClient(client), topic, from)
	if err != nil {
		return err
	}
	progress := newProgress(spans, c.exitAtEnd, c.count)
	if progress.done() {
		return nil
	}
	client.AddConsumePartitions(map[string]map[int32]kgo.Offset{topic: startOffsets(spans)})
	err = poll(ctx, client, progress, out)
	return errors.Join(err, out.flush())
}

// plan chooses the partitions and where each of them begins and ends.
func (c *consuming) plan(ctx context.Context, admin *kadm.Client, topic string, from position) (map[int32]span, error) {
	existing, err := cluster.Partitions(ctx, admin, topic)
	if err != nil {
		return nil, err
	}
	chosen := existing
	if len(c.partitions) > 0 {
		chosen = c.partitions
	}
	for _, partition := range chosen {
		if !slices.Contains(existing, partition) {
			return nil, fmt.Errorf("topic %q has no partition %d; it has 0 to %d", topic, partition, len(existing)-1)
		}
	}
	return from.spans(ctx, admin, topic, chosen)
}

func startOffsets(spans map[int32]span) map[int32]kgo.Offset {
	offsets := make(map[int32]kgo.Offset, len(spans))
	for partition, s := range spans {
		offsets[partition] = kgo.NewOffset().At(s.from)
	}
	return offsets
}

// poll prints until progress is done or the context ends, which is how a
// person stops the command and no error. What was fetched is flushed before
// each wait, so that a reader of the output is never behind.
func poll(ctx context.Context, client *kgo.Client, progress *progress, out *printer) error {
	for !progress.done() {
		fetches := client.PollFetches(ctx)
		if ctx.Err() != nil {
			return nil
		}
		for _, failure := range fetches.Errors() {
			return fmt.Errorf("partition %d of topic %q: %w", failure.Partition, failure.Topic, failure.Err)
		}
		for records := fetches.RecordIter(); !records.Done(); {
			record := records.Next()
			if !progress.take(record.Partition, record.Offset, record.Attrs.IsControl()) {
				continue
			}
			if err := out.record(record); err != nil {
				return err
			}
		}
		if err := out.flush(); err != nil {
			return err
		}
	}
	return nil
}
