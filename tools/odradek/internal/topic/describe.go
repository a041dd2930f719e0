package topic

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/tools/odradek/internal/cluster"
	"odradek.dev/tools/odradek/internal/render"
)

type description struct {
	cluster.AdminFlags
	allConfigs bool
}

func describeCommand() *cobra.Command {
	var d description
	cmd := &cobra.Command{
		Use:   "describe NAME...",
		Short: "Show partitions, leaders, offsets and configs of topics",
		Args:  cobra.MinimumNArgs(1),
		RunE:  d.run,
	}
	d.Bind(cmd)
	cmd.Flags().BoolVar(&d.allConfigs, "all-configs", false, "also show the configs that the topic has by default")
	return cmd
}

// described is one topic as the command answers it.
type described struct {
	Topic      string      `json:"topic"`
	ID         string      `json:"id"`
	Partitions []partition `json:"partitions"`
	Configs    []setting   `json:"configs"`
}

type partition struct {
	Partition        int32   `json:"partition"`
	Leader           int32   `json:"leader"`
	LeaderEpoch      int32   `json:"leader_epoch"`
	Replicas         []int32 `json:"replicas"`
	InSyncReplicas   []int32 `json:"in_sync_replicas"`
	LogStartOffset   int64   `json:"log_start_offset"`
	HighWatermark    int64   `json:"high_watermark"`
	UnavailableCause string  `json:"unavailable_cause,omitempty"`
}

type setting struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Source string `json:"source"`
}

func (d *description) run(cmd *cobra.Command, names []string) error {
	admin, err := d.Admin(cmd.Context())
	if err != nil {
		return err
	}
	defer admin.Close()
	var failures []error
	var found []described
	for _, name := range names {
		topic, err := d.describe(cmd.Context(), admin, name)
		if err != nil {
			failures = append(failures, err)
			continue
		}
		found = append(found, topic)
	}
	if len(found) > 0 {
		failures = append(failures, d.write(cmd.OutOrStdout(), found))
	}
	return errors.Join(failures...)
}

func (d *description) describe(ctx context.Context, admin *kadm.Client, name string) (described, error) {
	topics, err := admin.ListTopics(ctx, name)
	if err != nil {
		return described{}, fmt.Errorf("asking for topic %q: %w", name, err)
	}
	detail := topics[name]
	if detail.Err != nil {
		return described{}, cluster.TopicError(name, detail.Err, "")
	}
	starts, startErr := admin.ListStartOffsets(ctx, name)
	ends, endErr := admin.ListEndOffsets(ctx, name)
	if err := errors.Join(startErr, endErr); err != nil {
		return described{}, fmt.Errorf("asking for the offsets of topic %q: %w", name, err)
	}
	topic := described{Topic: name, ID: idText(detail.ID)}
	for _, p := range detail.Partitions.Sorted() {
		entry := partition{
			Partition: p.Partition, Leader: p.Leader, LeaderEpoch: p.LeaderEpoch,
			Replicas: p.Replicas, InSyncReplicas: p.ISR, LogStartOffset: -1, HighWatermark: -1,
		}
		if p.Err != nil {
			entry.UnavailableCause = p.Err.Error()
		}
		if start, ok := starts.Lookup(name, p.Partition); ok && start.Err == nil {
			entry.LogStartOffset = start.Offset
		}
		if end, ok := ends.Lookup(name, p.Partition); ok && end.Err == nil {
			entry.HighWatermark = end.Offset
		}
		topic.Partitions = append(topic.Partitions, entry)
	}
	topic.Configs, err = d.configs(ctx, admin, name)
	return topic, err
}

func (d *description) configs(ctx context.Context, admin *kadm.Client, name string) ([]setting, error) {
	resources, err := admin.DescribeTopicConfigs(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("asking for the configs of topic %q: %w", name, err)
	}
	resource, err := resources.On(name, nil)
	if err != nil {
		return nil, fmt.Errorf("asking for the configs of topic %q: %w", name, err)
	}
	if resource.Err != nil {
		return nil, cluster.TopicError(name, resource.Err, resource.ErrMessage)
	}
	settings := []setting{}
	for _, c := range resource.Configs {
		if d.allConfigs || c.Source == kmsg.ConfigSourceDynamicTopicConfig {
			settings = append(settings, setting{c.Key, c.MaybeValue(), strings.ToLower(c.Source.String())})
		}
	}
	return settings, nil
}

func (d *description) write(w io.Writer, topics []described) error {
	if d.Output == render.JSON {
		return d.Output.Write(w, map[string]any{"topics": topics}, render.Table{})
	}
	for i, topic := range topics {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "topic %s, id %s, %d partitions\n", topic.Topic, topic.ID, len(topic.Partitions))
		table := render.Table{Header: []string{"PARTITION", "LEADER", "EPOCH", "REPLICAS", "IN SYNC", "LOG START", "HIGH WATERMARK"}}
		for _, p := range topic.Partitions {
			table.Add(p.Partition, p.Leader, p.LeaderEpoch, p.Replicas, p.InSyncReplicas, p.LogStartOffset, p.HighWatermark)
		}
		if err := table.Write(w); err != nil {
			return err
		}
		if len(topic.Configs) == 0 {
			continue
		}
		configs := render.Table{Header: []string{"CONFIG", "VALUE", "SOURCE"}}
		for _, c := range topic.Configs {
			configs.Add(c.Name, c.Value, c.Source)
		}
		if err := configs.Write(w); err != nil {
			return err
		}
	}
	return nil
}
