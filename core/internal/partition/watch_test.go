package partition

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

type wakes struct{ count atomic.Int32 }

func (w *wakes) Wake() { w.count.Add(1) }

// park is what a fetch does: read, then watch from there.
func park(p *Partition, missing, room int64) (*Waiter, *Watch, *wakes) {
	seen := p.Read(p.HighWatermark(), AnyEpoch, 1).Seen
	waiter, watch, woken := &Waiter{}, &Watch{}, &wakes{}
	waiter.Hold(woken, missing)
	p.Watch(watch, waiter, seen, room)
	waiter.Release()
	return waiter, watch, woken
}

func TestAWaiterWakesWithTheLastMissingByte(t *testing.T) {
	p := newBench(t).open()
	size := int64(len(values("a")))
	_, watch, woken := park(p, 2*size, 1<<20)
	_, more, another := park(p, 2*size+1, 1<<20)
	mustAppend(t, p, values("a"))
	require.Zero(t, woken.count.Load())
	mustAppend(t, p, values("b"))
	require.Equal(t, int32(1), woken.count.Load())
	require.Zero(t, another.count.Load(), "a byte is missing")
	mustAppend(t, p, values("c"))
	require.Equal(t, int32(1), woken.count.Load(), "it wakes once")
	require.Equal(t, int32(1), another.count.Load())
	p.Unwatch(watch)
	p.Unwatch(more)
	p.Unwatch(more)
	require.Nil(t, p.watches.first)
}

func TestAWaiterWakesWhenAPartitionHasAllItMayGive(t *testing.T) {
	p := newBench(t).open()
	size := int64(len(values("a")))
	_, watch, woken := park(p, 100*size, size)
	mustAppend(t, p, values("a"))
	require.Equal(t, int32(1), woken.count.Load())
	p.Unwatch(watch)
}

func TestWhatCameBetweenReadingAndWatchingCounts(t *testing.T) {
	p := newBench(t).open()
	seen := p.Read(0, AnyEpoch, 1).Seen
	mustAppend(t, p, values("a"))
	var waiter Waiter
	var watch Watch
	woken := &wakes{}
	waiter.Hold(woken, 1)
	p.Watch(&watch, &waiter, seen, 1<<20)
	require.Zero(t, woken.count.Load(), "not while it is held")
	waiter.Release()
	require.Equal(t, int32(1), woken.count.Load())
	p.Unwatch(&watch)
}

func TestAnEndOrANewEpochWakes(t *testing.T) {
	w := newBench(t)
	p := w.open()
	_, first, woken := park(p, 1, 1)
	require.NoError(t, p.change(p.settings.Load(), leading(4)))
	require.Equal(t, int32(1), woken.count.Load())
	p.Unwatch(first)
	_, second, woken := park(p, 1, 1)
	require.NoError(t, p.close(context.Background(), errGone))
	require.Equal(t, int32(1), woken.count.Load())
	p.Unwatch(second)
	_, third, woken := park(p, 1, 1)
	require.Equal(t, int32(1), woken.count.Load(), "a partition that is gone lets nobody wait")
	p.Unwatch(third)
}

func TestManyWaitersWakeOnceEach(t *testing.T) {
	p := newBench(t).open()
	var all []*wakes
	var watches []*Watch
	for range 100 {
		_, watch, woken := park(p, 1, 1)
		all, watches = append(all, woken), append(watches, watch)
	}
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() { mustAppend(t, p, values("a")) })
	}
	for _, watch := range watches[:50] {
		p.Unwatch(watch)
	}
	wait.Wait()
	for i, woken := range all {
		if i >= 50 {
			require.Equal(t, int32(1), woken.count.Load())
		} else {
			require.LessOrEqual(t, woken.count.Load(), int32(1))
		}
	}
	for _, watch := range watches {
		p.Unwatch(watch)
	}
}

func TestGrowthIsTold(t *testing.T) {
	var g growth
	for i := range int64(200) {
		g.appended(2*i+2, 10)
	}
	require.Zero(t, g.visible(1))
	require.Equal(t, int64(10), g.visible(2))
	require.Equal(t, int64(1490), g.visible(301))
	g.truncated(350)
	require.Equal(t, int64(250), g.visible(1000))
	require.Empty(t, g.queue)
}
