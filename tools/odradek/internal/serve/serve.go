// Package serve is the commands that read a broker's configuration: `odradek
// serve`, which runs it, and `odradek config`, which explains it.
package serve

import (
	"os"

	"github.com/spf13/cobra"

	"odradek.dev/core/broker"
	"odradek.dev/sdk/module"
)

// source is where a configuration comes from, besides the environment.
type source struct {
	file string
	set  []string
}

func (s *source) bind(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.file, "config", "", "the YAML file; without one the defaults hold")
	cmd.Flags().StringArrayVarP(&s.set, "set", "X", nil, "key=value, over file and environment; may be repeated")
}

// load leaves the errors of the configuration to whoever makes or validates a
// broker from it: that tells them together with those about modules.
func (s *source) load() broker.Config {
	config, _ := broker.Load(broker.Sources{File: s.file, Env: os.Environ(), Set: s.set})
	return config
}

// Command makes `serve` with the modules that a configuration can choose from.
func Command(modules []module.Factory) *cobra.Command {
	var from source
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Run a broker until it is asked to stop",
		Long: `Run a broker until SIGTERM or SIGINT asks it to stop; a second signal, half a
second later or more, ends it at once. Values come from the embedded defaults,
then the file, then ODRADEK_ variables (ODRADEK_LOG_DIRS is log.dirs), then -X.

The heap grows to 32 MiB before it is collected, however little is kept, and what
is not kept is given back to the system when there was nothing to collect for ten
seconds, unless GOGC or GOMEMLIMIT is set.`,
		Example: `  odradek serve
  odradek serve --config configs/single.yaml -X log.dirs=/var/lib/odradek`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			b, err := broker.New(from.load(), modules...)
			if err != nil {
				return err
			}
			keepHeap()
			return b.Run(cmd.Context())
		},
	}
	from.bind(cmd)
	return cmd
}
