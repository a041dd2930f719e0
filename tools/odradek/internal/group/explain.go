package group

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"odradek.dev/tools/odradek/internal/adminapi"
	"odradek.dev/tools/odradek/internal/render"
)

type explanation struct {
	admin  string
	output render.Format
}

func explainCommand() *cobra.Command {
	var e explanation
	cmd := &cobra.Command{
		Use:   "explain GROUP",
		Short: "Say which assignor decided, at which epoch, and why each member has what it has",
		Long: `Say which assignor decided, at which epoch, and why each member has what it has.

It asks the admin listener of the broker that coordinates the group, which
` + "`odradek group list`" + ` names.`,
		Args: cobra.ExactArgs(1),
		RunE: e.run,
	}
	cmd.Flags().StringVar(&e.admin, "admin", adminapi.DefaultAddress, "the admin.listener of the group's coordinator")
	e.output.Bind(cmd)
	return cmd
}

func (e *explanation) run(cmd *cobra.Command, args []string) error {
	g, err := adminapi.New(e.admin).Group(cmd.Context(), args[0])
	if err != nil {
		return err
	}
	if e.output == render.JSON {
		return e.output.Write(cmd.OutOrStdout(), g, render.Table{})
	}
	for _, line := range decisionText(&g) {
		fmt.Fprintln(cmd.OutOrStdout(), line)
	}
	table := render.Table{Header: []string{"MEMBER", "CLIENT", "HAS", "WHY"}}
	for i := range g.Members {
		m := &g.Members[i]
		table.Add(m.ID, m.Client, partitionsText(partitionsIn(m, "held", "revoked")), whyText(&g, m))
	}
	if len(table.Rows) == 0 {
		return nil
	}
	return table.Write(cmd.OutOrStdout())
}

// decisionText says who decided, a sentence a line.
func decisionText(g *adminapi.Group) []string {
	word := "epoch"
	if g.Type == "classic" {
		word = "generation"
	}
	lines := []string{
		fmt.Sprintf("group %s, %s, %s, %s %d", g.Group, g.Type, g.State, word, g.Epoch), decidedText(g),
	}
	if g.Why != "" {
		lines = append(lines, "the last rebalance: "+g.Why)
	}
	if g.Failure != "" {
		lines = append(lines, fmt.Sprintf("epoch %d is not decided, so that the members keep what they have: %s", g.Epoch, g.Failure))
	}
	return lines
}

func decidedText(g *adminapi.Group) string {
	when := ""
	if g.DecidedAtMs >= 0 {
		when = " at " + time.UnixMilli(g.DecidedAtMs).UTC().Format(time.RFC3339)
	}
	switch {
	case len(g.Members) == 0:
		return "it has no members, so that nobody decides"
	case g.Type == "classic" && when == "":
		return fmt.Sprintf("nothing is decided yet: %s leads, and decides when all have joined", clientOf(g, g.Leader))
	case g.Type == "classic":
		return fmt.Sprintf("%s decided as the leader, by the protocol %s, for generation %d%s", clientOf(g, g.Leader), g.Assignor, g.TargetEpoch, when)
	case g.Known && g.Fallback:
		return fmt.Sprintf("assignor %s failed, and the built-in one decided in its place for epoch %d%s; `odradek plugin list --kind assignor` says why",
			g.Assignor, g.TargetEpoch, when)
	case g.Known:
		return fmt.Sprintf("assignor %s of the broker decided for epoch %d%s", g.Assignor, g.TargetEpoch, when)
	case when != "":
		return fmt.Sprintf("epoch %d was decided%s, before this broker read the group's log; assignor %s decides next", g.TargetEpoch, when, g.Assignor)
	}
	return fmt.Sprintf("nothing is decided yet; assignor %s of the broker decides", g.Assignor)
}

// clientOf names a member and its client.
func clientOf(g *adminapi.Group, id string) string {
	at := slices.IndexFunc(g.Members, func(m adminapi.GroupMember) bool { return m.ID == id })
	if at < 0 {
		return "member " + id
	}
	return fmt.Sprintf("member %s (client %s)", id, g.Members[at].Client)
}

// whyText says what came to what a member has.
func whyText(g *adminapi.Group, m *adminapi.GroupMember) string {
	var why []string
	if topics := subscription(m.Topics, m.Expression); len(topics) > 0 {
		why = append(why, "subscribes to "+strings.Join(topics, ", "))
	}
	if m.Rack != "" {
		why = append(why, "in rack "+m.Rack)
	}
	if g.Type == "consumer" && g.Known {
		why = append(why, fmt.Sprintf("the decision left it %d partitions, gave it %d and took %d", m.Kept, m.Gained, m.Lost))
	}
	why = append(why, underWay(m)...)
	switch {
	case m.Waits:
		why = append(why, "waits for the others to join or for the leader to decide")
	case g.Type == "consumer" && m.Epoch < g.TargetEpoch:
		why = append(why, fmt.Sprintf("is at epoch %d", m.Epoch))
	}
	return strings.Join(why, "; ")
}

// underWay says what a member has yet to give up and to get.
func underWay(m *adminapi.GroupMember) (why []string) {
	for _, state := range []struct{ name, text string }{
		{"revoked", "is yet to give up %s"}, {"due", "gets %s with its next heartbeat"},
	} {
		if in := partitionsIn(m, state.name); len(in) > 0 {
			why = append(why, fmt.Sprintf(state.text, partitionsText(in)))
		}
	}
	awaited := map[string]map[string][]int32{}
	for _, p := range m.Partitions {
		if p.State != "awaited" {
			continue
		}
		if awaited[p.Holder] == nil {
			awaited[p.Holder] = map[string][]int32{}
		}
		awaited[p.Holder][p.Topic] = append(awaited[p.Holder][p.Topic], p.Partition)
	}
	for _, holder := range slices.Sorted(maps.Keys(awaited)) {
		why = append(why, fmt.Sprintf("waits for %s, which member %s has yet to give up", partitionsText(awaited[holder]), holder))
	}
	return why
}

// partitionsIn are those in one of the states, by topic, ascending.
func partitionsIn(m *adminapi.GroupMember, states ...string) map[string][]int32 {
	in := map[string][]int32{}
	for _, p := range m.Partitions {
		if slices.Contains(states, p.State) {
			in[p.Topic] = append(in[p.Topic], p.Partition)
		}
	}
	for _, partitions := range in {
		slices.Sort(partitions)
	}
	return in
}
