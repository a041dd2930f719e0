package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"odradek.dev/tools/internal/contestant"
)

// report keeps the best turn of each broker in each row.
type report struct {
	contestants []*contestant.Contestant
	best        map[*contestant.Contestant]map[string]float64
}

func newReport(all []*contestant.Contestant) *report {
	r := &report{contestants: all, best: make(map[*contestant.Contestant]map[string]float64)}
	for _, c := range all {
		r.best[c] = make(map[string]float64)
	}
	return r
}

func (r *report) add(c *contestant.Contestant, m measurement, value float64) {
	before, seen := r.best[c][m.label()]
	if !seen || m.unit.more == (value > before) {
		r.best[c][m.label()] = value
	}
}

func (r *report) print(out io.Writer) {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "protocol\twhat\t")
	for _, c := range r.contestants {
		fmt.Fprintf(t, "%s\t", c.Name)
	}
	fmt.Fprintln(t, "ratio\tto reach\tbeyond timers\ttimers in it\t")
	for _, m := range measurements() {
		r.row(t, m)
	}
	t.Flush()
}

func (r *report) row(out io.Writer, m measurement) {
	var values []float64
	for _, c := range r.contestants {
		if value, ok := r.best[c][m.label()]; ok {
			values = append(values, value)
		}
	}
	if len(values) < len(r.contestants) {
		return
	}
	fmt.Fprintf(out, "%s\t%s\t", m.protocol, m.name)
	for _, value := range values {
		fmt.Fprintf(out, "%s\t", m.unit.format(value))
	}
	ratio, beyond, bound := "", "", "<="
	if len(values) == 2 {
		ratio = fmt.Sprintf("%.2fx", values[0]/values[1])
		if m.least > 0 {
			beyond = fmt.Sprintf("%.2fx", (values[0]-m.least)/(values[1]-m.least))
		}
	}
	if m.unit.more {
		bound = ">="
	}
	fmt.Fprintf(out, "%s\t%s %.2gx\t%s\t%s\t\n", ratio, bound, m.target, beyond, m.timers)
}
