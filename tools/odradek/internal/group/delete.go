package group

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
		Use:   "delete GROUP...",
		Short: "Delete groups without members, and all their offsets",
		Args:  cobra.MinimumNArgs(1),
		RunE:  d.run,
	}
	d.Bind(cmd)
	cmd.Flags().BoolVar(&d.ifExists, "if-exists", false, "succeed if a group is not there")
	return cmd
}

func (d *deletion) run(cmd *cobra.Command, names []string) error {
	admin, err := d.Admin(cmd.Context())
	if err != nil {
		return err
	}
	defer admin.Close()
	answers, err := admin.DeleteGroups(cmd.Context(), names...)
	if err != nil {
		return fmt.Errorf("deleting groups: %w", err)
	}
	var failures []error
	deleted := []string{}
	var table render.Table
	for _, name := range names {
		err := answers[name].Err
		switch {
		case errors.Is(err, kerr.GroupIDNotFound) && d.ifExists:
		case err != nil:
			failures = append(failures, refused(name, err))
		default:
			deleted = append(deleted, name)
			table.Add("deleted", name)
		}
	}
	failures = append(failures, d.Output.Write(cmd.OutOrStdout(), map[string]any{"deleted": deleted}, table))
	return errors.Join(failures...)
}

// refused words a broker's refusal about a group.
func refused(group string, err error) error {
	switch {
	case errors.Is(err, kerr.GroupIDNotFound):
		return fmt.Errorf("group %q does not exist; see `odradek group list`", group)
	case errors.Is(err, kerr.NonEmptyGroup):
		return fmt.Errorf("group %q has members; stop its consumers first, see `odradek group members %s`", group, group)
	case errors.Is(err, kerr.UnknownMemberID), errors.Is(err, kerr.RebalanceInProgress), errors.Is(err, kerr.IllegalGeneration), errors.Is(err, kerr.StaleMemberEpoch):
		return fmt.Errorf("group %q has got members meanwhile, so that its offsets are theirs to commit (%w); stop its consumers first", group, err)
	case errors.Is(err, kerr.GroupSubscribedToTopic):
		return fmt.Errorf("group %q: its members subscribe to the topic (%w); stop its consumers first", group, err)
	}
	return fmt.Errorf("group %q: %w", group, err)
}
