package group

import (
	"cmp"
	"slices"

	"github.com/spf13/cobra"

	"odradek.dev/tools/odradek/internal/cluster"
	"odradek.dev/tools/odradek/internal/render"
)

type lagging struct {
	cluster.AdminFlags
	byTopic bool
}

func lagCommand() *cobra.Command {
	var l lagging
	cmd := &cobra.Command{
		Use:   "lag [GROUP...]",
		Short: "Show how many records groups have yet to consume; all groups if none is named",
		Long: `Show how many records groups have yet to consume; all groups if none is named.

The groups that lag most come first. ` + "`odradek group describe GROUP`" + ` has the lag of
each partition. Partitions where a group committed nothing are counted as such. The lag of a partition
whose log is shorter than what was committed, which is negative there, counts as 0 here.`,
		RunE: l.run,
	}
	l.Bind(cmd)
	cmd.Flags().BoolVar(&l.byTopic, "topics", false, "a line for each topic of a group")
	return cmd
}

// lag sums up partitions. What was never committed has no lag that is known.
type lag struct {
	Group string `json:"group"`
	// Topic is empty for all of them.
	Topic       string `json:"topic,omitempty"`
	State       string `json:"state"`
	Members     int    `json:"members"`
	Partitions  int    `json:"partitions"`
	Uncommitted int    `json:"uncommitted"`
	Sum         int64  `json:"lag_sum"`
	Max         int64  `json:"lag_max"`
}

func (l *lag) add(p position) {
	l.Partitions++
	switch {
	case p.Committed == nil:
		l.Uncommitted++
	case p.Lag != nil:
		l.Sum += max(*p.Lag, 0)
		l.Max = max(l.Max, *p.Lag)
	}
}

func (l *lagging) run(cmd *cobra.Command, names []string) error {
	admin, err := l.Admin(cmd.Context())
	if err != nil {
		return err
	}
	defer admin.Close()
	groups, err := locate(cmd.Context(), admin, names)
	if err != nil {
		return err
	}
	lags := []lag{}
	for _, g := range groups {
		lags = append(lags, g.lags(l.byTopic)...)
	}
	slices.SortStableFunc(lags, func(a, b lag) int { return cmp.Compare(b.Sum, a.Sum) })
	table := render.Table{Header: []string{"GROUP", "STATE", "MEMBERS", "PARTITIONS", "UNCOMMITTED", "LAG SUM", "LAG MAX"}}
	if l.byTopic {
		table.Header = slices.Insert(table.Header, 1, "TOPIC")
	}
	for _, one := range lags {
		cells := []any{one.Group, one.State, one.Members, one.Partitions, one.Uncommitted, one.Sum, one.Max}
		if l.byTopic {
			cells = slices.Insert(cells, 1, any(one.Topic))
		}
		table.Add(cells...)
	}
	return l.Output.Write(cmd.OutOrStdout(), map[string]any{"lags": lags}, table)
}

// lags is one lag for all of a group's positions, or one for each topic.
func (g *located) lags(byTopic bool) []lag {
	none := lag{Group: g.Group, State: g.State, Members: len(g.Members)}
	if !byTopic {
		for _, p := range g.Partitions {
			none.add(p)
		}
		return []lag{none}
	}
	var lags []lag
	for _, p := range g.Partitions {
		if len(lags) == 0 || lags[len(lags)-1].Topic != p.Topic {
			next := none
			next.Topic = p.Topic
			lags = append(lags, next)
		}
		lags[len(lags)-1].add(p)
	}
	return lags
}
