// Package explain is the commands `odradek partition explain` and `odradek
// assign explain`: what a partitioner or an assignor decides, and for whom.
package explain

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/hashicorp/go-hclog"
	"github.com/spf13/cobra"

	"odradek.dev/sdk/clock"
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/partitioner"
	"odradek.dev/sdk/vfs"

	"odradek.dev/tools/odradek/internal/adminapi"
	"odradek.dev/tools/odradek/internal/render"
)

type partitioning struct {
	modules    []module.Factory
	admin      string
	topic      string
	keys       []string
	partitions int32
	output     render.Format
}

// PartitionCommand makes `partition`. The modules are those that can run in
// this process.
func PartitionCommand(modules []module.Factory) *cobra.Command {
	cmd := &cobra.Command{Use: "partition", Short: "Ask partitioners where they put a key"}
	cmd.AddCommand(partitionExplainCommand(modules))
	return cmd
}

func partitionExplainCommand(modules []module.Factory) *cobra.Command {
	p := partitioning{modules: modules}
	cmd := &cobra.Command{
		Use:   "explain --key KEY --partitions N",
		Short: "Show where each partitioner puts a key",
		Long: `Show where each partitioner puts a key.

The built-in partitioners run in this process and need no broker. With --admin
the partitioners that a running broker has besides are asked too.`,
		Example: "  odradek partition explain --key alice --key bob --partitions 12",
		Args:    cobra.NoArgs,
		RunE:    p.run,
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&p.keys, "key", nil, "the key; may be repeated")
	flags.Int32Var(&p.partitions, "partitions", 0, "partitions of the topic")
	flags.StringVar(&p.topic, "topic", "explain", "the topic's name, for partitioners that look at it")
	flags.StringVar(&p.admin, "admin", "", "also ask the broker with this admin.listener, host:port")
	p.output.Bind(cmd)
	for _, required := range []string{"key", "partitions"} {
		if err := cmd.MarkFlagRequired(required); err != nil {
			panic(err)
		}
	}
	return cmd
}

// decision is what one partitioner answered.
type decision struct {
	Partitioner string  `json:"partitioner"`
	Where       string  `json:"where"`
	Partitions  []int32 `json:"partitions,omitempty"`
	Fallback    bool    `json:"fallback,omitempty"`
	Error       string  `json:"error,omitempty"`
}

func (p *partitioning) run(cmd *cobra.Command, _ []string) error {
	if p.partitions < 1 {
		return fmt.Errorf("--partitions %d must be at least 1", p.partitions)
	}
	decisions := p.builtIn(cmd.Context())
	if p.admin != "" {
		more, err := p.ofBroker(cmd.Context(), decisions)
		if err != nil {
			return err
		}
		decisions = append(decisions, more...)
	}
	return p.output.Write(cmd.OutOrStdout(), map[string]any{"keys": p.keys, "decisions": decisions}, p.table(decisions))
}

func (p *partitioning) builtIn(ctx context.Context) []decision {
	batch := partitioner.Batch{Topic: partitioner.Topic{Name: p.topic, Partitions: p.partitions}}
	for _, key := range p.keys {
		batch.Keys.Append([]byte(key))
		batch.Sizes = append(batch.Sizes, int32(len(key)))
	}
	var decisions []decision
	for _, factory := range p.modules {
		if factory.Descriptor().Kind != module.Partitioner {
			continue
		}
		partitions, err := assign(ctx, factory, batch)
		decisions = append(decisions, decisionOf(factory.Descriptor().Name, "built in", partitions, false, err))
	}
	return decisions
}

func assign(ctx context.Context, factory module.Factory, batch partitioner.Batch) ([]int32, error) {
	env := module.Env{Log: hclog.NewNullLogger(), Clock: clock.Real(), FS: vfs.OS(), Seed: rand.Uint64()}
	instance, err := factory.New(env, nil)
	if err != nil {
		return nil, err
	}
	partitions, err := instance.(partitioner.Partitioner).Assign(ctx, batch)
	if err != nil {
		return nil, err
	}
	return partitions, partitioner.Check(batch, partitions)
}

// ofBroker asks the partitioners of the broker that are not among those that
// have answered.
func (p *partitioning) ofBroker(ctx context.Context, answered []decision) ([]decision, error) {
	client := adminapi.New(p.admin)
	modules, err := client.Modules(ctx)
	if err != nil {
		return nil, err
	}
	request := adminapi.PartitionRequest{Topic: p.topic, Partitions: p.partitions}
	for _, key := range p.keys {
		request.Keys = append(request.Keys, []byte(key))
		request.Sizes = append(request.Sizes, int32(len(key)))
	}
	var decisions []decision
	for _, m := range modules {
		known := slices.ContainsFunc(answered, func(d decision) bool { return d.Partitioner == m.Name })
		if m.Kind != string(module.Partitioner) || known {
			continue
		}
		request.Partitioner = m.Name
		answer, err := client.Partition(ctx, request)
		decisions = append(decisions, decisionOf(m.Name, "broker", answer.Partitions, answer.Fallback, err))
	}
	return decisions, nil
}

func decisionOf(name, where string, partitions []int32, fallback bool, err error) decision {
	d := decision{Partitioner: name, Where: where, Partitions: partitions, Fallback: fallback}
	if err != nil {
		d.Partitions, d.Error = nil, err.Error()
	}
	return d
}

func (p *partitioning) table(decisions []decision) render.Table {
	table := render.Table{Header: append([]string{"PARTITIONER", "WHERE"}, p.keys...)}
	for _, d := range decisions {
		cells := []any{d.Partitioner, d.Where}
		for i := range p.keys {
			switch {
			case d.Error != "":
				cells = append(cells, "failed: "+d.Error)
			case d.Fallback:
				cells = append(cells, strconv.Itoa(int(d.Partitions[i]))+" (fallback)")
			default:
				cells = append(cells, d.Partitions[i])
			}
			if d.Error != "" {
				break
			}
		}
		table.Add(cells...)
	}
	return table
}
