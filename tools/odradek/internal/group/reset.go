package group

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/twmb/franz-go/pkg/kadm"

	"odradek.dev/tools/odradek/internal/cluster"
	"odradek.dev/tools/odradek/internal/render"
)

type resetting struct {
	cluster.AdminFlags
	to, file             string
	shift                int64
	topics               []string
	allTopics, allGroups bool
	execute              bool
}

func resetCommand() *cobra.Command {
	var r resetting
	cmd := &cobra.Command{
		Use:   "reset GROUP...",
		Short: "Plan where the offsets of groups are to go, and move them with --execute",
		Long: `Plan where the offsets of groups are to go, and move them with --execute.

Without --execute nothing changes: the plan has the offset of each partition
before and after, and the difference. An offset that would leave the log goes to
its start or its end, and the plan says so. A group must have no members.

--all-topics is all partitions in which a group has committed an offset. A file
has lines of [GROUP,]TOPIC,PARTITION,OFFSET, or is what -o json wrote; with
--to current that is a copy of the offsets to go back to.`,
		Example: `  odradek group reset readers --topic orders --to earliest
  odradek group reset readers --all-topics --to @-2h --execute
  odradek group reset readers writers --topic orders:0,2-5 --shift -100
  odradek group reset readers --all-topics --to current -o json > before.json
  odradek group reset readers --file before.json --execute`,
		RunE: r.run,
	}
	r.Bind(cmd)
	flags := cmd.Flags()
	flags.StringVar(&r.to, "to", "", "earliest, latest, current, an offset, a time, @milliseconds, @-15m")
	flags.Int64Var(&r.shift, "shift", 0, "move by so many records; back if it is negative")
	flags.StringVar(&r.file, "file", "", "take the offsets from a file")
	flags.StringArrayVar(&r.topics, "topic", nil, "TOPIC or TOPIC:0,2-5; may be repeated")
	flags.BoolVar(&r.allTopics, "all-topics", false, "all partitions that a group has offsets for")
	flags.BoolVar(&r.allGroups, "all-groups", false, "all groups")
	flags.BoolVar(&r.execute, "execute", false, "do it")
	cmd.MarkFlagsMutuallyExclusive("to", "shift", "file")
	cmd.MarkFlagsOneRequired("to", "shift", "file")
	cmd.MarkFlagsMutuallyExclusive("topic", "all-topics", "file")
	cmd.MarkFlagsOneRequired("topic", "all-topics", "file")
	return cmd
}

func (r *resetting) run(cmd *cobra.Command, names []string) error {
	plan, err := r.plan(names)
	if err != nil {
		return err
	}
	admin, err := r.Admin(cmd.Context())
	if err != nil {
		return err
	}
	defer admin.Close()
	groups, err := r.groups(cmd.Context(), admin, plan.names)
	if err != nil {
		return err
	}
	for _, g := range groups {
		if g.live() && r.execute {
			return g.running()
		}
	}
	moves, err := plan.moves(cmd.Context(), admin, groups)
	if err != nil {
		return err
	}
	if r.execute {
		err = commit(cmd.Context(), admin, moves)
	}
	if err != nil {
		return err
	}
	r.comment(cmd, groups, len(moves))
	return r.Output.Write(cmd.OutOrStdout(), map[string]any{"executed": r.execute, "partitions": moves}, tableOf(moves))
}

// comment says beside the plan what came of it.
func (r *resetting) comment(cmd *cobra.Command, groups []described, count int) {
	w := cmd.ErrOrStderr()
	if r.execute {
		fmt.Fprintf(w, "moved the offsets of %d partitions\n", count)
		return
	}
	for _, g := range groups {
		switch {
		case g.live():
			fmt.Fprintln(w, g.running())
		case g.State == "Dead":
			fmt.Fprintf(w, "group %q does not exist; --execute makes it\n", g.Group)
		}
	}
	fmt.Fprintln(w, "nothing has changed; --execute moves the offsets")
}

func tableOf(moves []move) render.Table {
	table := render.Table{Header: []string{"GROUP", "TOPIC", "PARTITION", "BEFORE", "AFTER", "DIFFERENCE", "NOTE"}}
	for _, m := range moves {
		difference := "-"
		if m.Difference != nil {
			difference = fmt.Sprintf("%+d", *m.Difference)
		}
		table.Add(m.Group, m.Topic, m.Partition, text(m.Before), m.After, difference, orDash(m.Note))
	}
	return table
}

// groups may be ones that do not exist: offsets that are committed for one make
// it.
func (r *resetting) groups(ctx context.Context, admin *kadm.Client, names []string) ([]described, error) {
	if len(names) == 0 && !r.allGroups {
		return nil, errors.New("name the groups, or say --all-groups")
	}
	listed, err := list(ctx, admin, nil, nil)
	if err != nil {
		return nil, err
	}
	if r.allGroups {
		names = listed.Groups()
	}
	var existing []string
	var groups []described
	for _, name := range names {
		if _, exists := listed[name]; exists {
			existing = append(existing, name)
		} else {
			groups = append(groups, described{Group: name, State: "Dead"})
		}
	}
	if len(existing) > 0 {
		found, err := describe(ctx, admin, existing)
		if err != nil {
			return nil, err
		}
		groups = append(groups, found...)
	}
	return groups, nil
}

// plan reads the flags; what it comes to is known when the broker was asked.
func (r *resetting) plan(names []string) (*resetPlan, error) {
	if r.allGroups && len(names) > 0 {
		return nil, errors.New("name the groups, or say --all-groups, not both")
	}
	p := &resetPlan{names: names, target: target{kind: byShift, shift: r.shift}}
	var err error
	switch {
	case r.file != "":
		err = p.read(r.file)
	case r.to != "":
		p.target, err = parseTarget(r.to, time.Now())
	}
	if err != nil {
		return nil, err
	}
	p.selection, err = parseSelection(r.topics)
	return p, err
}

func (p *resetPlan) read(file string) error {
	content, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if p.file, err = parseFile(content); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if len(p.file) == 0 {
		return fmt.Errorf("%s has no offsets", file)
	}
	if len(p.names) > 0 {
		return nil
	}
	groups := map[string]bool{}
	for _, e := range p.file {
		if groups[e.group] = true; e.group == "" {
			return fmt.Errorf("%s does not say of which group its offsets are; name it", file)
		}
	}
	p.names = slices.Sorted(maps.Keys(groups))
	return nil
}

// commit moves the offsets group by group. The broker refuses a group that has
// got members meanwhile.
func commit(ctx context.Context, admin *kadm.Client, moves []move) error {
	groups := map[string]*kadm.Offsets{}
	for _, m := range moves {
		if groups[m.Group] == nil {
			groups[m.Group] = &kadm.Offsets{}
		}
		groups[m.Group].Add(kadm.Offset{Topic: m.Topic, Partition: m.Partition, At: m.After, LeaderEpoch: -1})
	}
	for _, group := range slices.Sorted(maps.Keys(groups)) {
		answers, err := admin.CommitOffsets(ctx, group, *groups[group])
		if err == nil {
			err = answers.Error()
		}
		if err != nil {
			return refused(group, err)
		}
	}
	return nil
}
