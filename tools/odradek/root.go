package main

import (
	"github.com/spf13/cobra"

	"odradek.dev/sdk/module"

	"odradek.dev/tools/odradek/internal/consume"
	"odradek.dev/tools/odradek/internal/explain"
	"odradek.dev/tools/odradek/internal/group"
	"odradek.dev/tools/odradek/internal/pluginlist"
	"odradek.dev/tools/odradek/internal/produce"
	"odradek.dev/tools/odradek/internal/serve"
	"odradek.dev/tools/odradek/internal/topic"
)

func rootCommand(version string, modules []module.Factory) *cobra.Command {
	root := &cobra.Command{
		Use:           "odradek",
		Short:         "A Kafka-protocol broker whose every part is a module",
		Version:       version,
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.AddCommand(
		serve.Command(modules),
		serve.ConfigCommand(modules),
		topic.Command(),
		produce.Command(modules),
		consume.Command(),
		group.Command(),
		explain.PartitionCommand(modules),
		explain.AssignCommand(),
		pluginlist.Command(),
	)
	withUsage(root)
	return root
}
