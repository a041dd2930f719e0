package main

import (
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/tools/internal/contestant"
)

// The table has the rows that somebody has a figure for, with the better turn
// of each, and ratios where both have one.
func TestReport(t *testing.T) {
	ours, theirs := &contestant.Contestant{Name: "ours"}, &contestant.Contestant{Name: "theirs"}
	r := newReport([]*contestant.Contestant{ours, theirs}, io.Discard)
	timed, commits := rebalanceRow(classicProtocol, allChanges()[1], fast), commitRows(consumerProtocol, 1)
	r.add(ours, timed, []float64{26}, 0.5)
	r.add(ours, timed, []float64{24}, 0.25)
	r.add(theirs, timed, []float64{30}, 0.75)
	r.add(ours, commits, []float64{3000, 12}, 0.125)
	r.add(ours, commits, []float64{2000, 14}, 0.125)
	var table strings.Builder
	r.print(&table)
	lines := strings.Split(strings.TrimSpace(table.String()), "\n")
	require.Len(t, lines, 4)
	require.Regexp(t, `^classic .* leaves, .* 24.00 ms +30.00 ms +0.80x +<= 0.5x +20.00 ms +0.40x +0.25 0.75 +1 heartbeat of the others, 20ms`, lines[1])
	require.Regexp(t, `^consumer .* 3000/s +>= 3x +0.1. +none`, lines[2])
	require.Regexp(t, `broker CPU of each +12.00 us`, lines[3])
}
