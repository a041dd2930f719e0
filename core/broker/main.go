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
// -X key=value, runs until SIGINT or SIGTERM, and exits. With the arguments
// config lint FILE... it does what [Lint] does and runs nothing. In a process that
// was started for a module with `run: subprocess` it serves that module instead.
func Main(modules ...module.Factory) {
	if remote.IsModuleProcess() {
		remote.Serve(modules...)
		return
	}
	os.Exit(run(UntilSignal(), os.Args[1:], os.Stdout, os.Stderr, modules))
}

// run is Main with its surroundings as arguments. It returns the exit status: 2
// for wrong arguments, 1 for what went wrong after.
func run(ctx context.Context, args []string, out, errs io.Writer, modules []module.Factory) int {
	if len(args) > 2 && args[0] == "config" && args[1] == "lint" {
		return status(errs, Lint(out, args[2:], modules...))
	}
	sources := Sources{Env: os.Environ()}
	flags := flagsInto(&sources, errs)
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return 0
		}
		return 2
	}
	if flags.NArg() > 0 {
		fmt.Fprintf(errs, "%q is no flag; write --config FILE or -X key=value, or config lint FILE...\n", flags.Arg(0))
		return 2
	}
	return status(errs, serve(ctx, sources, modules))
}

func flagsInto(sources *Sources, errs io.Writer) *flag.FlagSet {
	name := filepath.Base(os.Args[0])
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	flags.SetOutput(errs)
	flags.Usage = func() {
		fmt.Fprintf(errs, "Usage:\n  %s [flags]                run a broker\n"+
			"  %s config lint FILE...    say what is wrong with configuration files\n\nFlags:\n", name, name)
		flags.PrintDefaults()
	}
	flags.StringVar(&sources.File, "config", "", "the YAML `file` to read; without it the defaults hold")
	flags.Func("X", "`key=value` that overrides file and environment; may be given often", func(s string) error {
		sources.Set = append(sources.Set, s)
		return nil
	})
	return flags
}

func status(errs io.Writer, err error) int {
	if err != nil {
		fmt.Fprintln(errs, err)
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
