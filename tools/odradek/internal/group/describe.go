package group

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"odradek.dev/tools/odradek/internal/cluster"
	"odradek.dev/tools/odradek/internal/render"
)

type description struct{ cluster.AdminFlags }

func describeCommand() *cobra.Command {
	var d description
	cmd := &cobra.Command{
		Use:   "describe [GROUP...]",
		Short: "Show groups and where they are in each partition; all groups if none is named",
		Long: `Show groups and where they are in each partition; all groups if none is named.

LAG is LOG END less COMMITTED, and so negative where the log is shorter than what was
committed, as kafka-consumer-groups shows it too. ` + "`odradek group lag`" + ` and the metrics take it for
0 there, so that it hides none of the lag of other partitions in a sum.`,
		RunE: d.run,
	}
	d.Bind(cmd)
	return cmd
}

func (d *description) run(cmd *cobra.Command, names []string) error {
	admin, err := d.Admin(cmd.Context())
	if err != nil {
		return err
	}
	defer admin.Close()
	groups, err := locate(cmd.Context(), admin, names)
	if err != nil {
		return err
	}
	if d.Output == render.JSON {
		return d.Output.Write(cmd.OutOrStdout(), map[string]any{"groups": groups}, render.Table{})
	}
	for i, g := range groups {
		if i > 0 {
			fmt.Fprintln(cmd.OutOrStdout())
		}
		if err := g.write(cmd.OutOrStdout()); err != nil {
			return err
		}
	}
	return nil
}

func (g *located) write(w io.Writer) error {
	fmt.Fprintln(w, g.headline())
	if len(g.Partitions) == 0 {
		return nil
	}
	table := render.Table{Header: []string{"TOPIC", "PARTITION", "COMMITTED", "LOG START", "LOG END", "LAG", "MEMBER", "CLIENT", "HOST"}}
	for _, at := range g.Partitions {
		owner := member{Member: "-", Client: "-", Host: "-"}
		if at.Member != nil {
			owner = *at.Member
		}
		table.Add(at.Topic, at.Partition, text(at.Committed), text(at.LogStart), text(at.LogEnd), text(at.Lag), owner.Member, owner.Client, owner.Host)
	}
	return table.Write(w)
}

// headline says all of a group that is not about one partition or member.
func (d *described) headline() string {
	line := fmt.Sprintf("group %s, %s, %s, %d members, coordinator %d", d.Group, d.Type, d.State, len(d.Members), d.Coordinator)
	if d.Assignor != "" {
		line += ", assignor " + d.Assignor
	}
	if d.Epoch >= 0 {
		line += fmt.Sprintf(", epoch %d, assigned at %d", d.Epoch, d.AssignmentEpoch)
	}
	return line
}
