// Package cluster connects the commands to a broker over the Kafka protocol,
// and words what went wrong so that the reader knows what to do next.
package cluster

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	"odradek.dev/tools/odradek/internal/render"
)

const (
	defaultBootstrap = "127.0.0.1:9092"
	// firstAnswer bounds the wait for a broker that does not exist.
	firstAnswer = 5 * time.Second
)

// Flags are those of every command that speaks to a broker.
type Flags struct {
	Bootstrap string
	Output    render.Format
}

// Bind adds --bootstrap and -o to the command.
func (f *Flags) Bind(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.Bootstrap, "bootstrap", defaultBootstrap, "brokers to ask first, host:port[,host:port...]")
	f.Output.Bind(cmd)
}

// Connect returns a client that has heard from a broker. The caller closes it.
func (f *Flags) Connect(ctx context.Context, opts ...kgo.Opt) (*kgo.Client, error) {
	opts = append([]kgo.Opt{
		kgo.SeedBrokers(strings.Split(f.Bootstrap, ",")...),
		kgo.SoftwareNameAndVersion("odradek", "cli"),
		kgo.ClientID("odradek"),
		kgo.DialTimeout(firstAnswer),
	}, opts...)
	client, err := kgo.NewClient(opts...)
	if err != nil {
		return nil, err
	}
	ping, cancel := context.WithTimeout(ctx, firstAnswer)
	defer cancel()
	if err := client.Ping(ping); err != nil {
		client.Close()
		return nil, f.unreachable(ctx, err)
	}
	return client, nil
}

func (f *Flags) unreachable(ctx context.Context, err error) error {
	cause := err.Error()
	var resolve *net.DNSError
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		cause = "connection refused"
	case ctx.Err() != nil:
		cause = "no answer" // whoever ended it says by when
	case errors.Is(err, context.DeadlineExceeded):
		cause = fmt.Sprintf("no answer within %v", firstAnswer)
	case errors.As(err, &resolve):
		cause = "no such host " + resolve.Name
	}
	return fmt.Errorf("no broker at %s: %s; start one with `odradek serve`, or name another with --bootstrap", f.Bootstrap, cause)
}

// TopicError words a broker's refusal about a topic. The broker's own message
// is kept where it sent one.
func TopicError(topic string, err error, message string) error {
	switch {
	case errors.Is(err, kerr.UnknownTopicOrPartition):
		return fmt.Errorf("topic %q does not exist; create it with `odradek topic create %s`, or see `odradek topic list`", topic, topic)
	case errors.Is(err, kerr.TopicAlreadyExists):
		return fmt.Errorf("topic %q exists already", topic)
	case message != "":
		return fmt.Errorf("topic %q: %s (%s)", topic, message, code(err))
	}
	return fmt.Errorf("topic %q: %w", topic, err)
}

func code(err error) string {
	var refused *kerr.Error
	if errors.As(err, &refused) {
		return refused.Message
	}
	return err.Error()
}

// Partitions returns the partitions of a topic that exists, ascending.
func Partitions(ctx context.Context, admin *kadm.Client, topic string) ([]int32, error) {
	topics, err := admin.ListTopics(ctx, topic)
	if err != nil {
		return nil, fmt.Errorf("asking for topic %q: %w", topic, err)
	}
	detail := topics[topic]
	if detail.Err != nil {
		return nil, TopicError(topic, detail.Err, "")
	}
	return detail.Partitions.Numbers(), nil
}
