package broker

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"odradek.dev/sdk/module"
	"odradek.dev/sdk/remote"
)

// Main is a whole main function. It takes --config FILE and any number of
// -X key=value, runs until SIGINT or SIGTERM, and exits. In a process that was
// started for a module with `run: subprocess` it serves that module instead.
func Main(modules ...module.Factory) {
	if remote.IsModuleProcess() {
		remote.Serve(modules...)
		return
	}
	os.Exit(run(UntilSignal(), os.Args[1:], os.Stderr, modules))
}

// run is Main with its surroundings as arguments. It returns the exit status: 2
// for wrong arguments, 1 for what went wrong after.
func run(ctx context.Context, args []string, out io.Writer, modules []module.Factory) int {
	sources := Sources{Env: os.Environ()}
	flags := flag.NewFlagSet(filepath.Base(os.Args[0]), flag.ContinueOnError)
	flags.SetOutput(out)
	flags.StringVar(&sources.File, "config", "", "the YAML `file` to read; without it the defaults hold")
	flags.Func("X", "`key=value` that overrides file and environment; may be given often", func(s string) error {
		sources.Set = append(sources.Set, s)
		return nil
	})
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return 0
		}
		return 2
	}
	if flags.NArg() > 0 {
		fmt.Fprintf(out, "%q is no flag; write --config FILE or -X key=value\n", flags.Arg(0))
		return 2
	}
	if err := serve(ctx, sources, modules); err != nil {
		fmt.Fprintln(out, err)
		return 1
	}
	return 0
}

func serve(ctx context.Context, s Sources, modules []module.Factory) error {
	// The error of Load is among those of New.
	config, _ := Load(s)
	b, err := New(config, modules...)
	if err != nil {
		return err
	}
	return b.Run(ctx)
}
