// Package group is the command `odradek group`: consumer groups, classic and
// of KIP-848, their members and their offsets.
package group

import (
	"fmt"

	"github.com/spf13/cobra"
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
