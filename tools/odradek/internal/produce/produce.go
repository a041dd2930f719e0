// Package produce is the command `odradek produce`.
package produce

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	"odradek.dev/sdk/module"

	"odradek.dev/tools/odradek/internal/adminapi"
	"odradek.dev/tools/odradek/internal/cluster"
	"odradek.dev/tools/odradek/internal/render"
)

const (
	// defaultMaxMessageBytes is Kafka's max.message.bytes less the overhead
	// of a batch with one record in it.
	defaultMaxMessageBytes = 1_000_000
	anyPartition           = -1
	defaultPartitioner     = "sticky"
	// deliveryTimeout is Kafka's delivery.timeout.ms.
	deliveryTimeout = 2 * time.Minute
)

type producing struct {
	cluster.Flags
	modules         []module.Factory
	admin           string
	keySeparator    string
	headers         []string
	partition       int32
	partitioner     string
	compression     string
	acks            string
	autoCreate      bool
	maxMessageBytes int
}

// Command makes `produce`. The modules are those that can run in this process.
func Command(modules []module.Factory) *cobra.Command {
	p := producing{modules: modules}
	cmd := &cobra.Command{
		Use:   "produce TOPIC [FILE...]",
		Short: "Write each line of the input as a record",
		Long: `Write each line of the files, or of standard input, as a record.

The partitioner is one of the built-in modules, which then runs in this
process, or any other that the running broker has: that one is asked through
--admin. The number of records is that of acknowledgements received.`,
		Example: `  odradek produce words --compression zstd < /usr/share/dict/words
  printf 'alice:hello\n' | odradek produce chat --key-separator :`,
		Args: cobra.MinimumNArgs(1),
		RunE: p.run,
	}
	p.Bind(cmd)
	flags := cmd.Flags()
	flags.StringVar(&p.admin, "admin", adminapi.DefaultAddress, "the broker's admin.listener, for partitioners that are not built in")
	flags.StringVar(&p.keySeparator, "key-separator", "", "what parts key from value in a line; a line without it has no key")
	flags.StringArrayVar(&p.headers, "header", nil, "name=value on every record; may be repeated")
	flags.Int32Var(&p.partition, "partition", anyPartition, "write to this partition only")
	flags.StringVar(&p.partitioner, "partitioner", defaultPartitioner, "the module that chooses the partition")
	flags.StringVar(&p.compression, "compression", "none", "none, gzip, snappy, lz4 or zstd")
	flags.StringVar(&p.acks, "acks", "all", "who must have a record before it counts: all, 1 (the leader) or 0 (nobody)")
	flags.BoolVar(&p.autoCreate, "auto-create", false, "let the broker create the topic if it does not exist")
	flags.IntVar(&p.maxMessageBytes, "max-message-bytes", defaultMaxMessageBytes, "the longest line that is accepted")
	cmd.MarkFlagsMutuallyExclusive("partition", "partitioner")
	return cmd
}

// summary is the answer of the command.
type summary struct {
	Topic      string  `json:"topic"`
	Records    int64   `json:"records"`
	ValueBytes int64   `json:"value_bytes"`
	Seconds    float64 `json:"seconds"`
	Fallbacks  int64   `json:"partitioner_fallbacks"`
}

func (p *producing) run(cmd *cobra.Command, args []string) error {
	topic, files := args[0], args[1:]
	headers, err := parseHeaders(p.headers)
	if err != nil {
		return err
	}
	opts, err := p.options()
	if err != nil {
		return err
	}
	place, err := p.placement(topic)
	if err != nil {
		return err
	}
	client, err := p.Connect(cmd.Context(), append(opts, place.options()...)...)
	if err != nil {
		return err
	}
	defer client.Close()
	if err := p.checkTopic(cmd.Context(), client, topic); err != nil {
		return err
	}
	started := time.Now()
	s := newSending(client, place)
	shape := recordShape{topic: topic, separator: []byte(p.keySeparator), headers: headers, partition: p.partition}
	err = p.sendInputs(cmd, files, shape, s)
	err = errors.Join(err, s.wait(cmd.Context()))
	done := summary{topic, s.records.Load(), s.valueBytes.Load(), time.Since(started).Seconds(), place.fallbacks()}
	if err != nil {
		return fmt.Errorf("stopped after %d acknowledged records: %w", done.Records, explain(topic, err))
	}
	return p.report(cmd.ErrOrStderr(), cmd.OutOrStdout(), done)
}

func (p *producing) sendInputs(cmd *cobra.Command, files []string, shape recordShape, s *sending) error {
	if len(files) == 0 {
		return s.sendAll(cmd.Context(), newLines("standard input", cmd.InOrStdin(), p.maxMessageBytes), shape)
	}
	for _, name := range files {
		file, err := os.Open(name)
		if err != nil {
			return err
		}
		err = s.sendAll(cmd.Context(), newLines(name, file, p.maxMessageBytes), shape)
		if err := errors.Join(err, file.Close()); err != nil {
			return err
		}
	}
	return nil
}

// checkTopic finds a missing topic or partition before anything is sent.
func (p *producing) checkTopic(ctx context.Context, client *kgo.Client, topic string) error {
	partitions, err := cluster.Partitions(ctx, kadm.NewClient(client), topic)
	if err != nil {
		if p.autoCreate {
			return nil
		}
		return err
	}
	if p.partition != anyPartition && (p.partition < 0 || int(p.partition) >= len(partitions)) {
		return fmt.Errorf("topic %q has no partition %d; it has 0 to %d", topic, p.partition, len(partitions)-1)
	}
	return nil
}

// report keeps standard output for -o json, so that text reads well after the
// input that a person typed.
func (p *producing) report(stderr, stdout io.Writer, done summary) error {
	if p.Output == render.JSON {
		return p.Output.Write(stdout, done, render.Table{})
	}
	_, err := fmt.Fprintf(stderr, "%d records, %d bytes of values, to topic %s\n", done.Records, done.ValueBytes, done.Topic)
	if done.Fallbacks > 0 {
		fmt.Fprintf(stderr, "partitioner %q failed %d of its calls; the broker's fallback placed those records, see `odradek plugin list`\n", p.partitioner, done.Fallbacks)
	}
	return err
}

func explain(topic string, err error) error {
	switch {
	case errors.Is(err, kerr.MessageTooLarge):
		return fmt.Errorf("topic %q takes no record as large as this; raise its max.message.bytes: %w", topic, err)
	case errors.Is(err, kerr.UnknownTopicOrPartition):
		return cluster.TopicError(topic, kerr.UnknownTopicOrPartition, "")
	}
	return err
}

func parseHeaders(pairs []string) ([]kgo.RecordHeader, error) {
	var headers []kgo.RecordHeader
	for _, pair := range pairs {
		key, value, ok := strings.Cut(pair, "=")
		if !ok || key == "" {
			return nil, fmt.Errorf("--header %q is not name=value", pair)
		}
		headers = append(headers, kgo.RecordHeader{Key: key, Value: []byte(value)})
	}
	return headers, nil
}
