package main

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"odradek.dev/tools/internal/contestant"
)

// report keeps the best turn of each broker in each workload.
type report struct {
	brokers []*contestant.Contestant
	best    map[*contestant.Contestant]map[string]result
	started map[*contestant.Contestant]startFigures
}

type startFigures struct {
	time               time.Duration
	restMiB, loadedMiB float64
}

func newReport(brokers []*contestant.Contestant) *report {
	r := &report{brokers: brokers, best: map[*contestant.Contestant]map[string]result{}, started: map[*contestant.Contestant]startFigures{}}
	for _, b := range brokers {
		r.best[b] = map[string]result{}
	}
	return r
}

func (r *report) start(b *contestant.Contestant, took time.Duration, residentMiB float64) {
	f, seen := r.started[b]
	if !seen || took < f.time {
		f.time = took
	}
	f.restMiB = residentMiB
	r.started[b] = f
}

func (r *report) loaded(b *contestant.Contestant, residentMiB float64) {
	f := r.started[b]
	f.loadedMiB = residentMiB
	r.started[b] = f
}

func (r *report) add(b *contestant.Contestant, w workload, got result) {
	if before, ok := r.best[b][w.name]; !ok || got.recordsPerSecond() > before.recordsPerSecond() {
		r.best[b][w.name] = got
	}
}

func (r *report) print(out io.Writer) {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "workload\tbroker\trecords/s\tMB/s\tCPU s/GB\tCPU us/request\tp50 us\tp99 us\t")
	for _, w := range workloads {
		for _, b := range r.brokers {
			if got, ok := r.best[b][w.name]; ok {
				fmt.Fprintf(t, "%s\t%s\t%.0f\t%.0f\t%.2f\t%.1f\t%d\t%d\t\n", w.name, b.Name, got.recordsPerSecond(),
					got.megabytesPerSecond(), got.cpuPerGB(), got.cpuPerRequest(), got.p50.Microseconds(), got.p99.Microseconds())
			}
		}
		r.printRatio(t, w)
	}
	t.Flush()
	for _, b := range r.brokers {
		f := r.started[b]
		fmt.Fprintf(out, "%s: first answer after %v, %.0f MiB resident at rest, %.0f MiB after the load\n", b.Name, f.time.Round(time.Millisecond), f.restMiB, f.loadedMiB)
	}
	for _, w := range workloads {
		fmt.Fprintf(out, "%s: %s\n", w.name, w.what)
	}
}

// printRatio compares the first broker with the second.
func (r *report) printRatio(out io.Writer, w workload) {
	if len(r.brokers) < 2 {
		return
	}
	ours, ok := r.best[r.brokers[0]][w.name]
	theirs, ok2 := r.best[r.brokers[1]][w.name]
	if !ok || !ok2 {
		return
	}
	fmt.Fprintf(out, "%s\tratio\t%.2fx\t%.2fx\t%.2fx\t%.2fx\t%.2fx\t%.2fx\t\n", w.name,
		ours.recordsPerSecond()/theirs.recordsPerSecond(), ours.megabytesPerSecond()/theirs.megabytesPerSecond(),
		ours.cpuPerGB()/theirs.cpuPerGB(), ours.cpuPerRequest()/theirs.cpuPerRequest(),
		float64(ours.p50)/float64(theirs.p50), float64(ours.p99)/float64(theirs.p99))
}
