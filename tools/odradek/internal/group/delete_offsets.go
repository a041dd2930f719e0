package group

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/twmb/franz-go/pkg/kadm"

	"odradek.dev/tools/odradek/internal/cluster"
	"odradek.dev/tools/odradek/internal/render"
)

type forgetting struct {
	cluster.AdminFlags
	topics []string
}

func deleteOffsetsCommand() *cobra.Command {
	var f forgetting
	cmd := &cobra.Command{
		Use:     "delete-offsets GROUP --topic TOPIC[:PARTITIONS]...",
		Short:   "Delete what a group committed for topics that it does not consume any more",
		Example: "  odradek group delete-offsets readers --topic orders --topic payments:0,2-5",
		Args:    cobra.ExactArgs(1),
		RunE:    f.run,
	}
	f.Bind(cmd)
	cmd.Flags().StringArrayVar(&f.topics, "topic", nil, "TOPIC or TOPIC:0,2-5; may be repeated")
	if err := cmd.MarkFlagRequired("topic"); err != nil {
		panic(err)
	}
	return cmd
}

// forgotten is one line of the answer.
type forgotten struct {
	Topic     string `json:"topic"`
	Partition int32  `json:"partition"`
}

func (f *forgetting) run(cmd *cobra.Command, args []string) error {
	group := args[0]
	selection, err := parseSelection(f.topics)
	if err != nil {
		return err
	}
	admin, err := f.Admin(cmd.Context())
	if err != nil {
		return err
	}
	defer admin.Close()
	if selection, err = resolve(cmd.Context(), admin, selection); err != nil {
		return err
	}
	var set kadm.TopicsSet
	for _, s := range selection {
		set.Add(s.topic, s.partitions...)
	}
	answers, err := admin.DeleteOffsets(cmd.Context(), group, set)
	if err != nil {
		return refused(group, err)
	}
	deleted := []forgotten{}
	var failures []error
	for topic, partitions := range answers {
		var why error
		for number, err := range partitions {
			if why = cmp.Or(why, err); err == nil {
				deleted = append(deleted, forgotten{topic, number})
			}
		}
		if why != nil {
			failures = append(failures, fmt.Errorf("topic %q: %w", topic, refused(group, why)))
		}
	}
	slices.SortFunc(deleted, func(a, b forgotten) int {
		return cmp.Or(cmp.Compare(a.Topic, b.Topic), cmp.Compare(a.Partition, b.Partition))
	})
	table := render.Table{Header: []string{"TOPIC", "PARTITION", "OFFSET"}}
	for _, d := range deleted {
		table.Add(d.Topic, d.Partition, "deleted")
	}
	if len(deleted) > 0 {
		failures = append(failures, f.Output.Write(cmd.OutOrStdout(), map[string]any{"deleted": deleted}, table))
	}
	return errors.Join(failures...)
}
