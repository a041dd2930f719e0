package explain

import (
	"fmt"

	"github.com/spf13/cobra"

	"odradek.dev/sdk/assignor"

	"odradek.dev/tools/odradek/internal/adminapi"
	"odradek.dev/tools/odradek/internal/partitionlist"
	"odradek.dev/tools/odradek/internal/render"
)

type assigning struct {
	admin    string
	assignor string
	topics   []string
	members  []string
	owned    []string
	known    known
	output   render.Format
}

// AssignCommand makes `assign`.
func AssignCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "assign", Short: "Ask an assignor who would consume what"}
	cmd.AddCommand(assignExplainCommand())
	return cmd
}

func assignExplainCommand() *cobra.Command {
	var a assigning
	cmd := &cobra.Command{
		Use:   "explain --topic NAME=PARTITIONS... --member ID[=TOPIC,...]...",
		Short: "Show an assignor's decision on a group that is described here",
		Long: `Show an assignor's decision on a group that is described here.

The group need not exist; nothing changes. A member without topics subscribes to
all of them. --owned says what a member had before, for assignors that keep it;
--rack, --user-data, --replicas and --lag what else some of them look at.`,
		Example: `  odradek assign explain --topic orders=6 --member a --member b
  odradek assign explain --assignor sticky --topic orders=4 --member a --member b --owned a=orders:0-3
  odradek assign explain --assignor mine --topic orders=4 --member a --member b --rack a=r1 --replicas orders:0-1=r1,r2 --lag orders:2=900`,
		Args: cobra.NoArgs,
		RunE: a.run,
	}
	flags := cmd.Flags()
	flags.StringVar(&a.admin, "admin", adminapi.DefaultAddress, "the broker's admin.listener")
	flags.StringVar(&a.assignor, "assignor", "range", "the module that decides")
	flags.StringArrayVar(&a.topics, "topic", nil, "NAME=PARTITIONS; may be repeated")
	flags.StringArrayVar(&a.members, "member", nil, "ID or ID=TOPIC,TOPIC; may be repeated")
	flags.StringArrayVar(&a.owned, "owned", nil, "ID=TOPIC:0,2-5; may be repeated")
	a.known.bind(cmd)
	a.output.Bind(cmd)
	for _, required := range []string{"topic", "member"} {
		if err := cmd.MarkFlagRequired(required); err != nil {
			panic(err)
		}
	}
	return cmd
}

// share is what one member was given.
type share struct {
	Member     string             `json:"member"`
	Partitions map[string][]int32 `json:"partitions"`
}

func (a *assigning) run(cmd *cobra.Command, _ []string) error {
	snapshot, err := parseGroup(a.topics, a.members, a.owned)
	if err != nil {
		return err
	}
	if err := a.known.addTo(&snapshot); err != nil {
		return err
	}
	answer, err := adminapi.New(a.admin).Assign(cmd.Context(), a.assignor, snapshot)
	if err != nil {
		return err
	}
	if answer.Fallback {
		fmt.Fprintf(cmd.ErrOrStderr(), "assignor %q failed and the broker's fallback answered; see `odradek plugin list`\n", a.assignor)
	}
	document := map[string]any{"assignor": a.assignor, "members": sharesOf(snapshot, answer.Assignment), "fallback": answer.Fallback}
	return a.output.Write(cmd.OutOrStdout(), document, assignmentTable(snapshot, answer.Assignment))
}

func sharesOf(snapshot assignor.Snapshot, assignment assignor.Assignment) []share {
	shares := make([]share, len(snapshot.Members))
	for i, member := range assignment.Members {
		shares[i] = share{Member: snapshot.Members[i].ID, Partitions: map[string][]int32{}}
		for _, tp := range member.Partitions {
			shares[i].Partitions[tp.Topic] = tp.Partitions
		}
	}
	return shares
}

func assignmentTable(snapshot assignor.Snapshot, assignment assignor.Assignment) render.Table {
	table := render.Table{Header: []string{"MEMBER", "TOPIC", "PARTITIONS"}}
	for i, member := range assignment.Members {
		id := snapshot.Members[i].ID
		if len(member.Partitions) == 0 {
			table.Add(id, "-", "none")
		}
		for _, tp := range member.Partitions {
			table.Add(id, tp.Topic, partitionlist.Format(tp.Partitions))
		}
	}
	return table
}
