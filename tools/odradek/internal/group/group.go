// Package group is the command `odradek group`: consumer groups, classic and
// of KIP-848, their members and their offsets.
package group

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/twmb/franz-go/pkg/kerr"
)

// Command makes `group` with its subcommands.
func Command() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "group",
		Short: "List, describe and delete consumer groups, and move their offsets",
	}
	cmd.AddCommand(
		listCommand(), describeCommand(), membersCommand(), lagCommand(), deleteCommand(), deleteOffsetsCommand(), resetCommand(), explainCommand(),
	)
	return cmd
}

// listingError words why groups could not be listed.
func listingError(err error) error {
	if errors.Is(err, kerr.CoordinatorLoadInProgress) {
		return fmt.Errorf("listing groups: a coordinator still reads its groups, see its broker's log: %w", kerr.CoordinatorLoadInProgress)
	}
	return fmt.Errorf("listing groups: %w", err)
}

// text is a number for people, - for none.
func text(n *int64) string {
	if n == nil {
		return "-"
	}
	return fmt.Sprint(*n)
}

// orDash is - for what is empty.
func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
