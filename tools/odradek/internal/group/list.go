package group

import (
	"fmt"

	"github.com/spf13/cobra"

	"odradek.dev/tools/odradek/internal/cluster"
	"odradek.dev/tools/odradek/internal/render"
)

type listing struct {
	cluster.Flags
	states, types []string
}

func listCommand() *cobra.Command {
	var l listing
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List groups",
		Args:  cobra.NoArgs,
		RunE:  l.run,
	}
	l.Bind(cmd)
	cmd.Flags().StringSliceVar(&l.states, "state", nil, "only groups in these states, as in Empty,Stable")
	cmd.Flags().StringSliceVar(&l.types, "type", nil, "only groups of these types: classic, consumer")
	return cmd
}

// listedGroup is one line of the answer.
type listedGroup struct {
	Group        string `json:"group"`
	Type         string `json:"type"`
	State        string `json:"state"`
	ProtocolType string `json:"protocol_type"`
	Coordinator  int32  `json:"coordinator"`
}

func (l *listing) run(cmd *cobra.Command, _ []string) error {
	admin, err := l.Admin(cmd.Context())
	if err != nil {
		return err
	}
	defer admin.Close()
	groups, err := admin.ListGroupsByType(cmd.Context(), l.types, l.states...)
	if err != nil {
		return fmt.Errorf("listing groups: %w", err)
	}
	document := []listedGroup{}
	table := render.Table{Header: []string{"GROUP", "TYPE", "STATE", "PROTOCOL", "COORDINATOR"}}
	for _, g := range groups.Sorted() {
		document = append(document, listedGroup{g.Group, g.GroupType, g.State, g.ProtocolType, g.Coordinator})
		table.Add(g.Group, orDash(g.GroupType), g.State, orDash(g.ProtocolType), g.Coordinator)
	}
	return l.Output.Write(cmd.OutOrStdout(), map[string]any{"groups": document}, table)
}
