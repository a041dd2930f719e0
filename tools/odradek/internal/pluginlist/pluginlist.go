// Package pluginlist is the command `odradek plugin`.
package pluginlist

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"odradek.dev/sdk/module"

	"odradek.dev/tools/odradek/internal/adminapi"
	"odradek.dev/tools/odradek/internal/render"
)

type listing struct {
	admin  string
	kind   string
	output render.Format
}

// Command makes `plugin` with its subcommands.
func Command() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "plugin",
		Short: "Look at the modules of a running broker",
	}
	cmd.AddCommand(listCommand())
	return cmd
}

func listCommand() *cobra.Command {
	var l listing
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the modules of a running broker with their health and call times",
		Args:  cobra.NoArgs,
		RunE:  l.run,
	}
	cmd.Flags().StringVar(&l.admin, "admin", adminapi.DefaultAddress, "the broker's admin.listener")
	cmd.Flags().StringVar(&l.kind, "kind", "", "only modules of this kind: "+kinds())
	l.output.Bind(cmd)
	return cmd
}

func kinds() string {
	var names []string
	for _, kind := range module.Kinds() {
		names = append(names, string(kind))
	}
	return strings.Join(names, ", ")
}

func (l *listing) run(cmd *cobra.Command, _ []string) error {
	if l.kind != "" && !module.Kind(l.kind).Valid() {
		return fmt.Errorf("--kind %q is no kind of module; the kinds are %s", l.kind, kinds())
	}
	modules, err := adminapi.New(l.admin).Modules(cmd.Context())
	if err != nil {
		return err
	}
	shown := []adminapi.Module{}
	for _, m := range modules {
		if l.kind == "" || m.Kind == l.kind {
			shown = append(shown, m)
		}
	}
	if len(shown) == 0 && l.kind != "" {
		return fmt.Errorf("the broker has no module of kind %q", l.kind)
	}
	return l.output.Write(cmd.OutOrStdout(), map[string]any{"modules": shown}, tableOf(shown))
}

func tableOf(modules []adminapi.Module) render.Table {
	table := render.Table{Header: []string{
		"KIND", "NAME", "VERSION", "BINDING", "PID", "STATE", "RESTARTS", "CALLS", "ERRORS", "FALLBACKS", "P50", "P99", "LAST ERROR",
	}}
	for _, m := range modules {
		pid, p50, p99 := "-", "-", "-"
		if m.PID != 0 {
			pid = strconv.Itoa(m.PID)
		}
		if m.Calls > 0 {
			p50, p99 = micros(m.P50Us), micros(m.P99Us)
		}
		table.Add(m.Kind, m.Name, m.Version, m.Binding, pid, m.State, m.Restarts, m.Calls, m.Errors, m.Fallbacks, p50, p99, cmp.Or(m.LastError, "-"))
	}
	return table
}

func micros(us int64) string { return (time.Duration(us) * time.Microsecond).String() }
