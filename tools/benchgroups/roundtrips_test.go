package main

import (
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/tools/internal/contestant"
)

// What the round trips alone took, the least of several turns, is told and taken
// off; where nothing was measured it is what the timers are known to take.
func TestReportOfWhatARowTakesAtLeast(t *testing.T) {
	ours, theirs := &contestant.Contestant{Name: "ours"}, &contestant.Contestant{Name: "theirs"}
	r := newReport([]*contestant.Contestant{ours, theirs}, io.Discard)
	leaves := rebalanceRow(classicProtocol, allChanges()[1], untimed)
	timed := rebalanceRow(classicProtocol, allChanges()[1], fast)
	for _, m := range []measurement{leaves, timed} {
		r.add(ours, m, []float64{24, 1}[:len(m.rows)], 0)
		r.add(theirs, m, []float64{30, 1}[:len(m.rows)], 0)
	}
	r.takesAtLeast(leaves, 22)
	r.takesAtLeast(leaves, 18)
	r.takesAtLeast(leaves, 19)
	least, ratio := r.beyond(leaves.rows[0])
	require.Equal(t, []string{"18.00 ms", "0.50x"}, []string{least, ratio})
	least, ratio = r.beyond(timed.rows[0])
	require.Equal(t, []string{"20.00 ms", "0.40x"}, []string{least, ratio})
}
