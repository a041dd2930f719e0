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
	best        map[*contestant.Contestant]map[string]figure
	// grows is where each figure is written when it is known.
	grows io.Writer
}

// figure is a measured value, and how many cores the driver took meanwhile.
type figure struct{ value, driver float64 }

func newReport(all []*contestant.Contestant, grows io.Writer) *report {
	r := &report{contestants: all, grows: grows, best: make(map[*contestant.Contestant]map[string]figure)}
	for _, c := range all {
		r.best[c] = make(map[string]figure)
	}
	return r
}

// add takes the values of a measurement, one for each of its rows.
func (r *report) add(c *contestant.Contestant, m measurement, values []float64, driver float64) {
	for i, row := range m.rows {
		before, seen := r.best[c][row.label()]
		if !seen || row.unit.more == (values[i] > before.value) {
			r.best[c][row.label()] = figure{values[i], driver}
		}
		fmt.Fprintf(r.grows, "%-8s %-110s %12s  %s\n", c.Name, row.label(), row.unit.format(values[i]), r.ratio(row))
	}
}

// print writes all rows that somebody has a figure for.
func (r *report) print(out io.Writer) {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "protocol\twhat\t")
	for _, c := range r.contestants {
		fmt.Fprintf(t, "%s\t", c.Name)
	}
	fmt.Fprintln(t, "ratio\tto reach\tbeyond timers\tcores of the driver\ttimers in it\t")
	for _, m := range measurements() {
		for _, row := range m.rows {
			r.row(t, row)
		}
	}
	t.Flush()
}

func (r *report) row(out io.Writer, row row) {
	values, drivers, any := "", "", false
	for _, c := range r.contestants {
		f, ok := r.best[c][row.label()]
		if !ok {
			values += "\t"
			continue
		}
		any = true
		values += row.unit.format(f.value) + "\t"
		drivers += fmt.Sprintf("%.2f ", f.driver)
	}
	if any {
		fmt.Fprintf(out, "%s\t%s\t%s%s\t%s\t%s\t%s\t%s\t\n", row.protocol, row.name, values, r.ratio(row), row.reach(), r.beyond(row), drivers, row.timers)
	}
}

func (r row) reach() string {
	if r.target == 0 {
		return ""
	}
	if r.unit.more {
		return fmt.Sprintf(">= %.2gx", r.target)
	}
	return fmt.Sprintf("<= %.2gx", r.target)
}

// ratio is that of the first to the second, where both are known.
func (r *report) ratio(row row) string { return r.ratioBeyond(row, 0) }

// beyond is the ratio without what the timers take at least.
func (r *report) beyond(row row) string {
	if row.least == 0 {
		return ""
	}
	return r.ratioBeyond(row, row.least)
}

func (r *report) ratioBeyond(row row, least float64) string {
	var values []float64
	for _, c := range r.contestants {
		if f, ok := r.best[c][row.label()]; ok {
			values = append(values, f.value-least)
		}
	}
	if len(values) != 2 {
		return ""
	}
	return fmt.Sprintf("%.2fx", values[0]/values[1])
}
