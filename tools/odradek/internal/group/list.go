package group

import (
	"github.com/spf13/cobra"

	"odradek.dev/tools/odradek/internal/choice"
	"odradek.dev/tools/odradek/internal/cluster"
	"odradek.dev/tools/odradek/internal/render"
)

type listing struct {
	cluster.AdminFlags
	states, types choice.Several
}

func listCommand() *cobra.Command {
	l := listing{
		states: choice.NewSeveral("Empty", "PreparingRebalance", "CompletingRebalance", "Assigning", "Reconciling", "Stable", "Dead"),
		types:  choice.NewSeveral("classic", "consumer"),
	}
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List groups",
		Args:  cobra.NoArgs,
		RunE:  l.run,
	}
	l.Bind(cmd)
	cmd.Flags().Var(&l.states, "state", "only groups in these states, as in Empty,Stable: "+l.states.Names())
	cmd.Flags().Var(&l.types, "type", "only groups of these types: "+l.types.Names())
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
	groups, err := list(cmd.Context(), admin, l.types.Chosen, l.states.Chosen)
	if err != nil {
		return err
	}
	document := []listedGroup{}
	table := render.Table{Header: []string{"GROUP", "TYPE", "STATE", "PROTOCOL", "COORDINATOR"}}
	for _, g := range groups.Sorted() {
		document = append(document, listedGroup{g.Group, g.GroupType, g.State, g.ProtocolType, g.Coordinator})
		table.Add(g.Group, orDash(g.GroupType), g.State, orDash(g.ProtocolType), g.Coordinator)
	}
	return l.Output.Write(cmd.OutOrStdout(), map[string]any{"groups": document}, table)
}
