// Package group is the command `odradek group`: consumer groups, classic and
// of KIP-848, their members and their offsets.
package group

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/sdk/clock"
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

// listAgain is after what time groups are asked for again that a coordinator has
// not read.
const listAgain = 250 * time.Millisecond

// list asks for groups until all coordinators have read theirs. If ctx ends
// before, that is why, also while they are asked once more.
func list(ctx context.Context, admin *kadm.Client, types, states []string) (kadm.ListedGroups, error) {
	var loading error
	for {
		listed, err := admin.ListGroupsByType(ctx, types, states...)
		switch {
		case err == nil:
			return listed, nil
		case errors.Is(err, kerr.CoordinatorLoadInProgress):
			loading = fmt.Errorf("listing groups: a coordinator still reads its groups, see its broker's log: %w", kerr.CoordinatorLoadInProgress)
		case ctx.Err() != nil && loading != nil:
			return nil, loading
		default:
			return nil, fmt.Errorf("listing groups: %w", err)
		}
		if clock.Wait(ctx, clock.Real(), listAgain) != nil {
			return nil, loading
		}
	}
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
