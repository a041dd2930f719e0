package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"time"

	"odradek.dev/tools/internal/contestant"
	"odradek.dev/tools/internal/procstat"
)

type options struct {
	odradek string
	kafka   string
	seconds int
	rounds  int
	only    *regexp.Regexp
}

func main() {
	opts := options{}
	flag.StringVar(&opts.odradek, "odradek", "bin/odradek", "the Odradek binary; empty to measure Kafka alone")
	flag.StringVar(&opts.kafka, "kafka", "", "folder for Kafka's jars, fetched if there is none; empty to measure Odradek alone")
	flag.IntVar(&opts.seconds, "seconds", 8, "seconds for each measurement, after two of warming up")
	flag.IntVar(&opts.rounds, "rounds", 2, "turns of each broker; the better one counts")
	only := flag.String("only", "", "regular expression of the workloads to run")
	flag.Parse()
	opts.only = regexp.MustCompile(*only)

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, opts); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// run measures every workload on the brokers in turns: Odradek, Kafka,
// Odradek, Kafka, so that a slow minute of the machine hits both.
func run(ctx context.Context, opts options) error {
	brokers, err := contestant.All(ctx, opts.odradek, opts.kafka)
	if err != nil {
		return err
	}
	report := newReport(brokers)
	for range opts.rounds {
		for _, b := range brokers {
			if err := measureAll(ctx, b, opts, report); err != nil {
				return fmt.Errorf("%s: %w", b.Name, err)
			}
		}
	}
	report.print(os.Stdout)
	return nil
}

func measureAll(ctx context.Context, b *contestant.Contestant, opts options, report *report) error {
	p, err := b.Start(ctx)
	if err != nil {
		return err
	}
	defer p.Stop()
	rest, err := procstat.ResidentMiB(p.PID())
	if err != nil {
		return err
	}
	report.start(b, p.StartTime, rest)
	for _, w := range workloads {
		if !opts.only.MatchString(w.name) {
			continue
		}
		if _, err := p.CreateTopic(ctx, w.topic(), partitions); err != nil {
			return err
		}
		result, err := w.measure(ctx, p, time.Duration(opts.seconds)*time.Second)
		if err != nil {
			return fmt.Errorf("%s: %w", w.name, err)
		}
		report.add(b, w, result)
		fmt.Fprintf(os.Stderr, "%-8s %-12s %s\n", b.Name, w.name, result)
	}
	loaded, err := procstat.ResidentMiB(p.PID())
	report.loaded(b, loaded)
	return err
}
