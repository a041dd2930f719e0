package group

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"odradek.dev/tools/odradek/internal/cluster"
	"odradek.dev/tools/odradek/internal/partitionlist"
	"odradek.dev/tools/odradek/internal/render"
)

type membership struct{ cluster.AdminFlags }

func membersCommand() *cobra.Command {
	var m membership
	cmd := &cobra.Command{
		Use:   "members [GROUP...]",
		Short: "Show who is in a group, and who has what",
		RunE:  m.run,
	}
	m.Bind(cmd)
	return cmd
}

func (m *membership) run(cmd *cobra.Command, names []string) error {
	admin, err := m.Admin(cmd.Context())
	if err != nil {
		return err
	}
	defer admin.Close()
	groups, err := describe(cmd.Context(), admin, names)
	if err != nil {
		return err
	}
	table := render.Table{Header: []string{"GROUP", "MEMBER", "INSTANCE", "CLIENT", "HOST", "RACK", "EPOCH", "SUBSCRIBES TO", "HAS", "IS TO HAVE"}}
	for _, g := range groups {
		for _, one := range g.Members {
			epoch := "-"
			if one.Epoch >= 0 {
				epoch = fmt.Sprint(one.Epoch)
			}
			target := "-"
			if one.Target != nil {
				target = partitionsText(one.Target)
			}
			table.Add(g.Group, one.Member, orDash(one.Instance), one.Client, one.Host, orDash(one.Rack), epoch,
				orDash(strings.Join(subscription(one.Topics, one.Expression), ",")), partitionsText(one.Assigned), target)
		}
	}
	return m.Output.Write(cmd.OutOrStdout(), map[string]any{"groups": groups}, table)
}

// subscription is topics, and an expression as /EXPRESSION/ if there is one.
func subscription(topics []string, expression string) []string {
	if expression == "" {
		return topics
	}
	return append(slices.Clone(topics), "/"+expression+"/")
}

// partitionsText writes orders:0-2 payments:1.
func partitionsText(partitions map[string][]int32) string {
	var parts []string
	for _, topic := range slices.Sorted(maps.Keys(partitions)) {
		parts = append(parts, topic+":"+partitionlist.Format(partitions[topic]))
	}
	if len(parts) == 0 {
		return "nothing"
	}
	return strings.Join(parts, " ")
}
