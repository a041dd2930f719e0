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
	// least is what the figure of a row is at least, by its label, where that was
	// measured.
	least map[string]float64
	// grows is where each figure is written when it is known.
	grows io.Writer
}

// figure is a measured value, and how many cores the driver took meanwhile.
type figure struct{ value, driver float64 }

func newReport(all []*contestant.Contestant, grows io.Writer) *report {
	r := &report{contestants: all, grows: grows, best: make(map[*contestant.Contestant]map[string]figure), least: make(map[string]float64)}
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

// takesAtLeast says what the first row of a measurement is at least, in
// milliseconds; of several turns the least counts, as it does of the figures.
func (r *report) takesAtLeast(m measurement, least float64) {
	label := m.rows[0].label()
	if before, known := r.least[label]; !known || least < before {
		r.least[label] = least
	}
}

// print writes all rows that somebody has a figure for.
func (r *report) print(out io.Writer) {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "protocol\twhat\t")
	for _, c := range r.contestants {
		fmt.Fprintf(t, "%s\t", c.Name)
	}
	fmt.Fprintln(t, "ratio\tto reach\tat least\tbeyond that\tcores of the driver\ttimers in it\t")
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
		least, beyond := r.beyond(row)
		fmt.Fprintf(out, "%s\t%s\t%s%s\t%s\t%s\t%s\t%s\t%s\t\n", row.protocol, row.name, values, r.ratio(row), row.reach(), least, beyond, drivers, row.timers)
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

// beyond is what timers or round trips alone take at least, whatever the broker,
// and the ratio without that.
func (r *report) beyond(row row) (least, ratio string) {
	atLeast, measured := r.least[row.label()]
	if !measured {
		atLeast = row.least
	}
	if atLeast == 0 {
		return "", ""
	}
	return row.unit.format(atLeast), r.ratioBeyond(row, atLeast)
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
