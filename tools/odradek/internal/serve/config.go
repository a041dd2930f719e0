package serve

import (
	"github.com/spf13/cobra"

	"odradek.dev/core/broker"
	"odradek.dev/sdk/module"

	"odradek.dev/tools/odradek/internal/render"
)

// ConfigCommand makes `config` with its subcommands.
func ConfigCommand(modules []module.Factory) *cobra.Command {
	cmd := &cobra.Command{Use: "config", Short: "Check and explain a broker's configuration"}
	cmd.AddCommand(lintCommand(modules), printCommand(modules))
	return cmd
}

func lintCommand(modules []module.Factory) *cobra.Command {
	return &cobra.Command{
		Use:   "lint FILE...",
		Short: "Say what is wrong with configuration files, without starting anything",
		Long: `Say what is wrong with configuration files, without starting anything and
without looking at the environment. Of a module with exec, only the broker that
starts its program learns whether it is there, and what it says of its settings.
The other modules are those of this program: a broker of your own, with other
ones, has a ` + "`config lint`" + ` of its own.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, files []string) error {
			return broker.Lint(cmd.OutOrStdout(), files, modules...)
		},
	}
}

// value is one line of `config print`.
type value struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Source string `json:"source"`
}

func printCommand(modules []module.Factory) *cobra.Command {
	var (
		from   source
		output render.Format
	)
	cmd := &cobra.Command{
		Use:   "print",
		Short: "Show every value that a broker would use and where it comes from",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			config := from.load()
			if err := broker.Validate(config, modules...); err != nil {
				return err
			}
			values := []value{}
			table := render.Table{Header: []string{"NAME", "VALUE", "SOURCE"}}
			for _, v := range config.Values(modules...) {
				values = append(values, value{v.Name, v.Value, v.Source})
				table.Add(v.Name, v.Value, v.Source)
			}
			return output.Write(cmd.OutOrStdout(), map[string]any{"values": values}, table)
		},
	}
	from.bind(cmd)
	output.Bind(cmd)
	return cmd
}
