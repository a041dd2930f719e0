// Command compat starts a broker as a user would and drives it with other
// people's clients and tools, where it says something beside Apache Kafka
// 4.4.0. It prints what passed and what failed. It needs java and mvn, python3
// with venv, npm, and kcat.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"syscall"

	"odradek.dev/tools/compat/churn"
	"odradek.dev/tools/compat/clients"
	"odradek.dev/tools/compat/differential"
	"odradek.dev/tools/compat/franz"
	"odradek.dev/tools/compat/groups"
	"odradek.dev/tools/compat/hostile"
	"odradek.dev/tools/compat/kafkatools"
	"odradek.dev/tools/compat/kcat"
	"odradek.dev/tools/compat/kills"
	"odradek.dev/tools/compat/logfiles"
	"odradek.dev/tools/compat/scenario"
	"odradek.dev/tools/internal/kafkadist"
)

type options struct {
	odradek, bin, suite string
	only                *regexp.Regexp
	differential        []differential.Options
	churn               churn.Options
}

func main() {
	opts := options{}
	flag.StringVar(&opts.odradek, "odradek", "bin/odradek", "the broker's binary")
	flag.StringVar(&opts.bin, "bin", "bin", "folder for what is fetched: Kafka's jars, a virtual environment of Python, packages of npm")
	flag.StringVar(&opts.suite, "suite", "", "regular expression of the suites to run")
	seed := flag.Uint64("seed", 0, "seed of the requests of the suite differential; 0 for the usual two, within the usual time")
	requests := flag.Int("requests", differential.UsualRequests, "how many requests that suite sends, if a seed is given")
	flag.Uint64Var(&opts.churn.Seed, "churn-seed", churn.Usual.Seed, "seed of what happens to groups in the suite churn")
	flag.DurationVar(&opts.churn.Length, "churn", churn.Usual.Length, "how long it happens")
	only := flag.String("only", "", "regular expression of the scenarios to run; some need what an earlier one left")
	flag.Parse()
	opts.only, opts.differential = regexp.MustCompile(*only), differential.Usual()
	if *seed > 0 {
		opts.differential = []differential.Options{{Seed: *seed, Requests: *requests}}
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	failed, err := run(ctx, opts)
	if err != nil {
		fmt.Fprintln(os.Stderr, "compat:", err)
		os.Exit(2)
	}
	if failed > 0 {
		os.Exit(1)
	}
}

// suite runs its scenarios on brokers of its own, with everything that they
// keep in dir.
type suite struct {
	name string
	run  func(ctx context.Context, t *scenario.Tally, dir string) error
}

func suites(ctx context.Context, opts options) ([]suite, error) {
	bin, err := filepath.Abs(opts.bin)
	if err != nil {
		return nil, err
	}
	kafka, err := kafkadist.Fetch(ctx, filepath.Join(bin, "kafka-4.4.0"))
	if err != nil {
		return nil, err
	}
	return []suite{
		{name: "kcat", run: func(ctx context.Context, t *scenario.Tally, dir string) error {
			return kcat.Run(ctx, t, opts.odradek, dir)
		}},
		{name: "kafka tools", run: func(ctx context.Context, t *scenario.Tally, dir string) error {
			return kafkatools.Run(ctx, t, opts.odradek, kafka, dir)
		}},
		{name: "log files", run: func(ctx context.Context, t *scenario.Tally, dir string) error {
			return logfiles.Run(ctx, t, opts.odradek, kafka, dir)
		}},
		{name: "differential", run: func(ctx context.Context, t *scenario.Tally, dir string) error {
			for _, one := range opts.differential {
				if err := differential.Run(ctx, t, opts.odradek, kafka, filepath.Join(dir, fmt.Sprint(one.Seed)), one); err != nil {
					return err
				}
			}
			return nil
		}},
		{name: "kills", run: func(ctx context.Context, t *scenario.Tally, dir string) error {
			return kills.Run(ctx, t, opts.odradek, kafka, dir)
		}},
		{name: "churn", run: func(ctx context.Context, t *scenario.Tally, dir string) error {
			return churn.Run(ctx, t, opts.odradek, kafka, bin, dir, opts.churn)
		}},
		{name: "hostile", run: func(ctx context.Context, t *scenario.Tally, dir string) error {
			return hostile.Run(ctx, t, opts.odradek, dir)
		}},
		{name: "clients", run: func(ctx context.Context, t *scenario.Tally, dir string) error {
			return clients.Run(ctx, t, opts.odradek, kafka, bin, dir)
		}},
		{name: "groups", run: func(ctx context.Context, t *scenario.Tally, dir string) error {
			return groups.Run(ctx, t, opts.odradek, kafka, bin, dir)
		}},
		{name: "franz-go", run: func(ctx context.Context, t *scenario.Tally, dir string) error {
			return franz.Run(ctx, t, opts.odradek, dir)
		}},
	}, nil
}

func run(ctx context.Context, opts options) (failed int, err error) {
	dir, err := os.MkdirTemp("", "odradek-compat-")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	all, err := suites(ctx, opts)
	if err != nil {
		return 0, err
	}
	chosen, err := regexp.Compile(opts.suite)
	if err != nil {
		return 0, err
	}
	tally := &scenario.Tally{Out: os.Stdout, Only: opts.only}
	for number, one := range all {
		if !chosen.MatchString(one.name) {
			continue
		}
		own := filepath.Join(dir, fmt.Sprint(number))
		if err := os.Mkdir(own, 0o755); err != nil {
			return 0, err
		}
		if err := one.run(ctx, tally, own); err != nil {
			return 0, fmt.Errorf("%s: %w", one.name, err)
		}
	}
	fmt.Printf("%d passed, %d failed\n", tally.Passed, tally.Failed)
	if tally.Passed+tally.Failed == 0 {
		return 0, fmt.Errorf("no scenario is called so: -suite %q -only %q", opts.suite, opts.only)
	}
	return tally.Failed, nil
}
