package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"regexp"

	"odradek.dev/tools/internal/contestant"
)

type options struct {
	odradek, kafka string
	rounds         int
	only           *regexp.Regexp
}

func main() {
	opts := options{}
	flag.StringVar(&opts.odradek, "odradek", "bin/odradek", "the Odradek binary; none: measure Kafka alone")
	flag.StringVar(&opts.kafka, "kafka", "", "folder for Kafka's jars (fetched if there is none); none: measure Odradek alone")
	flag.IntVar(&opts.rounds, "rounds", 2, "turns of each broker; the better one counts")
	only := flag.String("only", "", "regular expression of the rows to measure, as in 'consumer: .*joins'")
	flag.Parse()
	opts.only = regexp.MustCompile(*only)

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, opts); err != nil {
		fmt.Fprintln(os.Stderr, "benchgroups:", err)
		os.Exit(1)
	}
}

// run measures the brokers in turns, so that a slow minute of the machine hits
// both.
func run(ctx context.Context, opts options) error {
	all, err := contestant.All(ctx, opts.odradek, opts.kafka)
	if err != nil {
		return err
	}
	report := newReport(all)
	for range opts.rounds {
		for _, c := range all {
			for _, s := range []setup{quick, usual} {
				if err := measure(ctx, c, s, opts.only, report); err != nil {
					return fmt.Errorf("%s: %w", c.Name, err)
				}
			}
		}
	}
	report.print(os.Stdout)
	return nil
}

// measure runs the measurements of a setup on one broker.
func measure(ctx context.Context, c *contestant.Contestant, s setup, only *regexp.Regexp, report *report) error {
	var chosen []measurement
	for _, m := range measurements() {
		if m.setup == s.name && only.MatchString(m.label()) {
			chosen = append(chosen, m)
		}
	}
	if len(chosen) == 0 {
		return nil
	}
	process, err := c.Start(ctx, s.settings...)
	if err != nil {
		return err
	}
	defer process.Stop()
	b, err := newBench(ctx, process, s)
	if err != nil {
		return err
	}
	for _, m := range chosen {
		b.protocol = m.protocol
		value, err := m.take(ctx, b)
		if err != nil {
			return fmt.Errorf("%s: %w", m.label(), err)
		}
		report.add(c, m, value)
		fmt.Fprintf(os.Stderr, "%-8s %-60s %s\n", c.Name, m.label(), m.unit.format(value))
	}
	return nil
}
