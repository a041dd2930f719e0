package serve

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/clock"
)

func TestThePercentageThatKeepsAHeap(t *testing.T) {
	const mib = 1 << 20
	for name, c := range map[string]struct {
		heap, roots uint64
		want        int
	}{
		"nothing is known":       {0, 0, 100},
		"little is kept":         {4 * mib, 0, 700},
		"many stacks":            {8 * mib, 24 * mib, 100},
		"some stacks":            {8 * mib, 4 * mib, 200},
		"half of it is kept":     {16 * mib, 0, 100},
		"more than it is kept":   {64 * mib, 0, 100},
		"almost nothing is kept": {1, 0, 800},
	} {
		require.Equal(t, c.want, percentFor(32*mib, c.heap, c.roots), name)
	}
}

// The collector's own goal is what it comes to, again after each collection.
func TestTheCollectorKeepsTheHeap(t *testing.T) {
	usual := debug.SetGCPercent(usualPercent)
	t.Cleanup(func() { debug.SetGCPercent(usual) })
	t.Setenv("GOGC", "")
	t.Setenv("GOMEMLIMIT", "")
	keepHeap()
	for range 3 {
		runtime.GC()
		// A percentage that is an eighth of itself too high or too low is not touched.
		require.Eventually(t, func() bool { return goal() >= leastHeap*7/8 && goal() <= leastHeap*8/7 }, time.Minute, time.Millisecond, "the goal is %d", goal())
	}
}

// What giving back collects is no sign of work.
func TestMemoryIsGivenBackAtRest(t *testing.T) {
	usual := debug.SetGCPercent(usualPercent)
	t.Cleanup(func() { debug.SetGCPercent(usual) })
	given := 0
	c := clock.NewFake(time.Unix(1, 0))
	p := &pacer{percent: usualPercent, clock: c, giveBack: func() { given++ }}
	for range 3 {
		p.collected()
		c.Advance(rest - 1)
		require.Zero(t, given)
	}
	c.Advance(1)
	require.Equal(t, 1, given)
	p.collected()
	c.Advance(time.Hour)
	require.Equal(t, 1, given)
	p.collected()
	c.Advance(rest)
	require.Equal(t, 2, given)
}

func goal() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/goal:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
