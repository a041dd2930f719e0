package topic

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/tools/odradek/internal/cluster"
	"odradek.dev/tools/odradek/internal/render"
)

type deletion struct {
	cluster.AdminFlags
	ifExists bool
}

func deleteCommand() *cobra.Command {
	var d deletion
	cmd := &cobra.Command{
		Use:   "delete NAME...",
		Short: "Delete topics and all their records",
		Args:  cobra.MinimumNArgs(1),
		RunE:  d.run,
	}
	d.Bind(cmd)
	cmd.Flags().BoolVar(&d.ifExists, "if-exists", false, "succeed if a topic is not there")
	return cmd
}

func (d *deletion) run(cmd *cobra.Command, names []string) error {
	admin, err := d.Admin(cmd.Context())
	if err != nil {
		return err
	}
	defer admin.Close()
	answers, err := admin.DeleteTopics(cmd.Context(), names...)
	if err != nil {
		return fmt.Errorf("deleting topics: %w", err)
	}
	var failures []error
	deleted := []string{}
	var table render.Table
	for _, name := range names {
		answer := answers[name]
		missing := errors.Is(answer.Err, kerr.UnknownTopicOrPartition)
		switch {
		case missing && d.ifExists:
		case answer.Err != nil:
			failures = append(failures, cluster.TopicError(name, answer.Err, answer.ErrMessage))
		default:
			deleted = append(deleted, name)
			table.Add("deleted", name)
		}
	}
	failures = append(failures, d.Output.Write(cmd.OutOrStdout(), map[string]any{"deleted": deleted}, table))
	return errors.Join(failures...)
}
