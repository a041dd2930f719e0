package topic

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/tools/odradek/internal/cluster"
	"odradek.dev/tools/odradek/internal/render"
)

type creation struct {
	cluster.AdminFlags
	partitions  int32
	replication int16
	configs     []string
	ifNotExists bool
}

func createCommand() *cobra.Command {
	var c creation
	cmd := &cobra.Command{
		Use:     "create NAME...",
		Short:   "Create topics",
		Example: "  odradek topic create orders --partitions 6 -c retention.ms=3600000",
		Args:    cobra.MinimumNArgs(1),
		RunE:    c.run,
	}
	c.Bind(cmd)
	flags := cmd.Flags()
	flags.Int32VarP(&c.partitions, "partitions", "p", -1, "partitions of each topic; -1 takes the broker's num.partitions")
	flags.Int16VarP(&c.replication, "replication-factor", "r", -1, "replicas of each partition; -1 takes the broker's default.replication.factor")
	flags.StringArrayVarP(&c.configs, "config", "c", nil, "key=value, one of Kafka's topic configs; may be repeated")
	flags.BoolVar(&c.ifNotExists, "if-not-exists", false, "succeed if a topic is there already")
	return cmd
}

// created is one line of the answer. Partitions is -1 for a topic that was
// there already.
type created struct {
	Topic             string `json:"topic"`
	ID                string `json:"id"`
	Partitions        int32  `json:"partitions"`
	ReplicationFactor int16  `json:"replication_factor"`
	Existed           bool   `json:"existed"`
}

func (c *creation) run(cmd *cobra.Command, names []string) error {
	configs, err := parseConfigs(c.configs)
	if err != nil {
		return err
	}
	admin, err := c.Admin(cmd.Context())
	if err != nil {
		return err
	}
	defer admin.Close()
	answers, err := admin.CreateTopics(cmd.Context(), c.partitions, c.replication, configs, names...)
	if err != nil {
		return fmt.Errorf("creating topics: %w", err)
	}
	var failures []error
	done := []created{}
	table := render.Table{Header: []string{"TOPIC", "PARTITIONS", "REPLICATION", "ID"}}
	for _, name := range names {
		answer := answers[name]
		existed := errors.Is(answer.Err, kerr.TopicAlreadyExists)
		switch {
		case existed && c.ifNotExists:
			done = append(done, created{Topic: name, Partitions: -1, ReplicationFactor: -1, Existed: true})
			table.Add(name, "exists", "-", "-")
		case answer.Err != nil:
			failures = append(failures, cluster.TopicError(name, answer.Err, answer.ErrMessage))
		default:
			done = append(done, created{name, idText(answer.ID), answer.NumPartitions, answer.ReplicationFactor, false})
			table.Add(name, answer.NumPartitions, answer.ReplicationFactor, idText(answer.ID))
		}
	}
	if len(done) > 0 {
		failures = append(failures, c.Output.Write(cmd.OutOrStdout(), map[string]any{"topics": done}, table))
	}
	return errors.Join(failures...)
}

func parseConfigs(pairs []string) (map[string]*string, error) {
	configs := make(map[string]*string, len(pairs))
	for _, pair := range pairs {
		key, value, ok := strings.Cut(pair, "=")
		if !ok || key == "" {
			return nil, fmt.Errorf("--config %q is not key=value", pair)
		}
		configs[key] = &value
	}
	return configs, nil
}
