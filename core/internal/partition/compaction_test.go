package partition

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/storage"
)

// tens is closed segments of 10 bytes and ten offsets each, and an active one.
// Each is as old as its number.
func tens(closed int64) logState {
	l := logState{visible: 10*closed + 5}
	for i := range closed + 1 {
		l.segments = append(l.segments, storage.Segment{Base: 10 * i, End: min(10*i+10, l.visible), Bytes: 10, MaxTimestamp: 1000 + i})
	}
	return l
}

func TestWhenALogIsCompacted(t *testing.T) {
	const never = int64(math.MaxInt64)
	usual := compaction{ratio: 0.5, maxLagMs: never, backoffMs: 15}
	with := func(change func(*compaction)) compaction {
		c := usual
		change(&c)
		return c
	}
	for name, test := range map[string]struct {
		c       compaction
		closed  int64
		visible int64 // 0 for all
		done    compacted
		want    pass
	}{
		"nothing but the active segment": {usual, 0, 0, compacted{dirty: 0, horizonMs: never}, pass{0, never}},
		"all is new":                     {usual, 3, 0, compacted{dirty: 0, horizonMs: never}, pass{30, never}},
		"half is new":                    {usual, 4, 0, compacted{dirty: 20, horizonMs: never}, pass{0, never}},
		"more than half":                 {usual, 5, 0, compacted{dirty: 20, horizonMs: never}, pass{50, never}},
		"a segment that is half new":     {usual, 4, 0, compacted{dirty: 15, horizonMs: never}, pass{40, never}},
		"any part is enough":             {with(func(c *compaction) { c.ratio = 0 }), 9, 0, compacted{dirty: 80, horizonMs: never}, pass{90, never}},
		"nothing is new":                 {with(func(c *compaction) { c.ratio = 0 }), 9, 0, compacted{dirty: 90, horizonMs: never}, pass{0, never}},
		"above the high watermark":       {usual, 3, 19, compacted{dirty: 0, horizonMs: never}, pass{10, 5015}},
		"too young":                      {with(func(c *compaction) { c.minLagMs = 3999 }), 3, 0, compacted{dirty: 0, horizonMs: never}, pass{20, 5001}},
		"all too young":                  {with(func(c *compaction) { c.minLagMs = 4500 }), 3, 0, compacted{dirty: 0, horizonMs: never}, pass{0, 5500}},
		"overdue":                        {with(func(c *compaction) { c.maxLagMs = 3998 }), 9, 0, compacted{dirty: 80, horizonMs: never}, pass{90, 5000}},
		"overdue soon":                   {with(func(c *compaction) { c.maxLagMs = 4000 }), 9, 0, compacted{dirty: 80, horizonMs: never}, pass{0, 5002}},
		"tombstones may go":              {usual, 2, 0, compacted{dirty: 20, horizonMs: 5000}, pass{20, 5000}},
		"tombstones may go soon":         {usual, 2, 0, compacted{dirty: 20, horizonMs: 5001}, pass{0, 5001}},
		"there are none any more":        {usual, 0, 0, compacted{dirty: 0, horizonMs: 5000}, pass{0, 5000}},
	} {
		t.Run(name, func(t *testing.T) {
			l := tens(test.closed)
			if test.visible > 0 {
				l.visible = test.visible
			}
			require.Equal(t, test.want, test.c.plan(l, test.done, 1001, 5000))
		})
	}
}

func TestSegmentsThatBecomeOne(t *testing.T) {
	bases := func(groups [][]storage.Segment) (all [][]int64) {
		for _, group := range groups {
			var one []int64
			for _, s := range group {
				one = append(one, s.Base)
			}
			all = append(all, one)
		}
		return all
	}
	c := compaction{segmentBytes: 25}
	l := tens(5)
	require.Equal(t, [][]int64{{0, 10}, {20, 30}, {40}}, bases(c.groups(l.segments[:5], 50)))
	require.Equal(t, [][]int64{{0, 10}, {20}}, bases(c.groups(l.segments[:5], 21)))
	require.Empty(t, c.groups(nil, 50))
	l.segments[1].Bytes = 99
	require.Equal(t, [][]int64{{0}, {10}, {20, 30}, {40}}, bases(c.groups(l.segments[:5], 50)), "a large one stands alone")
	l.segments[1] = storage.Segment{Base: 10, End: 1 << 32, Bytes: 1}
	l.segments[2] = storage.Segment{Base: 1 << 32, End: 1<<32 + 10, Bytes: 1}
	require.Equal(t, [][]int64{{0}, {10}, {1 << 32}}, bases(c.groups(l.segments[:3], 1<<40)), "an offset in a segment is an int32")
}
