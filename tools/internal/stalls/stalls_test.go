package stalls

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func second(n int) time.Time { return time.Unix(int64(n), 0) }

// stalled is a machine that stands still from 10 to 13 and from 20 to 24.
func stalled() (h history) {
	for _, looks := range [][2]time.Time{
		{second(10).Add(-step), second(10)}, {second(10), second(13)}, {second(13), second(13).Add(least - 1)}, {second(20), second(24)},
	} {
		h.note(looks[0], looks[1])
	}
	return h
}

func TestBetween(t *testing.T) {
	for _, c := range []struct{ from, to, want int }{
		{0, 10, 0}, {0, 12, 2}, {10, 13, 3}, {11, 12, 1}, {12, 20, 1}, {13, 20, 0}, {0, 30, 7}, {12, 21, 2}, {24, 30, 0},
	} {
		require.Equal(t, time.Duration(c.want)*time.Second, stalled().between(second(c.from), second(c.to)), "%+v", c)
	}
}

func TestAfter(t *testing.T) {
	for _, c := range []struct{ from, running, want int }{
		{0, 9, 9}, {0, 10, 10}, {0, 11, 14}, {11, 1, 14}, {13, 7, 20}, {13, 8, 25}, {0, 17, 20}, {0, 18, 25}, {22, 5, 29}, {24, 5, 29},
	} {
		require.Equal(t, second(c.want), stalled().after(second(c.from), time.Duration(c.running)*time.Second), "%+v", c)
	}
}

// TestWhoeverAsksWaitsForTheEndOfAStall asks when the watch has not seen it yet.
func TestWhoeverAsksWaitsForTheEndOfAStall(t *testing.T) {
	w := newWatch(second(0))
	told := make(chan time.Duration, 1)
	go func() { told <- w.Between(second(1), second(9)) }()
	w.look(second(4), false)
	w.look(second(9), false)
	require.Equal(t, 8*time.Second, <-told)
}

func TestAWatchLooksUntilItsEnd(t *testing.T) {
	w := Start()
	began := time.Now()
	require.LessOrEqual(t, w.Between(began, began.Add(step)), step)
	require.False(t, w.After(began, time.Second).Before(began.Add(time.Second)))
	w.End()
	require.LessOrEqual(t, w.Between(began, began.Add(time.Hour)), time.Since(began), "nobody waits for it any more")
}
