package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"runtime/debug"
	"slices"
	"sync"
	"syscall"

	"odradek.dev/tools/internal/contestant"
)

type options struct {
	odradek, kafka string
	rounds         int
	only           *regexp.Regexp
}

func main() {
	opts := options{}
	flag.StringVar(&opts.odradek, "odradek", "bin/odradek", "the Odradek binary; empty to measure Kafka alone")
	flag.StringVar(&opts.kafka, "kafka", "", "folder for Kafka's jars, fetched if there is none; empty to measure Odradek alone")
	flag.IntVar(&opts.rounds, "rounds", 1, "turns of each broker; the better one counts")
	answers := flag.Bool(answererFlag, false, "answer whatever is asked; the benchmark starts itself so")
	only := flag.String("only", "", "regular expression of the rows to measure, as in 'consumer: .*joins'")
	flag.Parse()
	if *answers {
		if err := answerAtOnce(); err != nil {
			fail(err)
		}
		return
	}
	opts.only = regexp.MustCompile(*only)
	debug.SetGCPercent(1000)

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, opts); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "benchgroups:", err)
	os.Exit(1)
}

// run starts all brokers and measures them in turns, row by row, so that a slow
// minute of the machine hits all of them; whoever is not measured is idle.
func run(ctx context.Context, opts options) error {
	all, err := contestant.All(ctx, opts.odradek, opts.kafka)
	if err != nil {
		return err
	}
	answerer, err := startAnswerer(ctx)
	if err != nil {
		return err
	}
	defer answerer.stop()
	report := newReport(all, os.Stderr)
	defer report.print(os.Stdout) // what there is, also after an interrupt
	var failures error
	for range opts.rounds {
		for _, s := range []setup{quick, usual} {
			failures = errors.Join(failures, measure(ctx, all, s, opts.only, answerer, report))
			if ctx.Err() != nil {
				return failures
			}
		}
	}
	return failures
}

// measure takes the measurements of a setup.
func measure(ctx context.Context, all []*contestant.Contestant, s setup, only *regexp.Regexp, answerer *answerer, report *report) (failures error) {
	chosen := chosenOf(s, only)
	if len(chosen) == 0 {
		return nil
	}
	var benches []*bench
	for _, c := range all {
		process, err := c.Start(ctx, s.settings...)
		if err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
		defer process.Stop()
		b, err := newBench(ctx, process, s)
		if err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
		defer b.loop.Close()
		benches = append(benches, b)
	}
	affinity, err := newAffinity()
	if err != nil {
		return err
	}
	for _, m := range chosen {
		for turn := range max(m.turns, 1) {
			divide := affinity.together
			if turn%2 == 1 {
				divide = affinity.apart
			}
			failures = errors.Join(failures, divide(pids(answerer, benches)))
			failures = errors.Join(failures, inTurns(ctx, all, benches, m, report))
			if m.roundTrips > 0 {
				least, err := answerer.take(ctx, sharers, m.roundTrips)
				failures = errors.Join(failures, err)
				report.takesAtLeast(m, least)
			}
			if ctx.Err() != nil {
				return errors.Join(failures, ctx.Err())
			}
		}
	}
	return failures
}

// pids are those of the processes that are driven.
func pids(answerer *answerer, benches []*bench) []int {
	all := []int{answerer.cmd.Process.Pid}
	for _, b := range benches {
		all = append(all, b.PID())
	}
	return all
}

// inTurns takes one measurement of each broker, one after the other unless it
// leaves the machine idle. One that fails does not keep the others from being
// taken.
func inTurns(ctx context.Context, all []*contestant.Contestant, benches []*bench, m measurement, report *report) error {
	var turn sync.Mutex
	var running sync.WaitGroup
	failures := make([]error, len(benches))
	for i, b := range benches {
		running.Go(func() {
			b.protocol, b.driver = m.rows[0].protocol, driver{}
			values, err := m.take(ctx, b)
			turn.Lock()
			defer turn.Unlock()
			if err == nil {
				report.add(all[i], m, values, b.driver.cores())
			} else if ctx.Err() == nil {
				failures[i] = fmt.Errorf("%s: %s: %w", all[i].Name, m.rows[0].label(), err)
			}
		})
		if !m.together {
			running.Wait()
		}
	}
	running.Wait()
	return errors.Join(failures...)
}

// chosenOf are the measurements of a setup with a row that only names.
func chosenOf(s setup, only *regexp.Regexp) (chosen []measurement) {
	for _, m := range measurements() {
		if m.setup == s.name && slices.ContainsFunc(m.rows, func(r row) bool { return only.MatchString(r.label()) }) {
			chosen = append(chosen, m)
		}
	}
	return chosen
}
