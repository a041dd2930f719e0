package fetchsession

import (
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Sessions that many use at a time, and that are evicted meanwhile: what the
// cache counts is what it has.
func TestManyAtATime(t *testing.T) {
	const slots, readers = 4, 8
	limits := Limits{Slots: slots, Partitions: 64, SessionPartitions: 16}
	// Few ids, so that readers meet.
	c := NewCache[int](limits, func() int32 { return rand.Int32N(2 * slots) })
	var running sync.WaitGroup
	for seed := range uint64(readers) {
		running.Go(func() {
			draw, now := rand.New(rand.NewPCG(seed, 1)), time.Unix(0, 0)
			for range 2000 {
				now = now.Add(time.Duration(draw.IntN(30)) * time.Second)
				useAny(c, draw, now)
			}
		})
	}
	running.Wait()
	partitions := 0
	for id, s := range c.sessions {
		require.Equal(t, id, s.id)
		require.Equal(t, s.Len(), len(keysInOrder(s)))
		partitions += s.counted
	}
	require.LessOrEqual(t, len(c.sessions), slots)
	stats := c.Stats()
	require.Equal(t, len(c.sessions), stats.Sessions)
	require.Equal(t, len(c.sessions), c.standings.byUse.Len())
	require.Equal(t, partitions, stats.Partitions)
	require.LessOrEqual(t, stats.Partitions, limits.Partitions)
	require.Positive(t, stats.Evictions)
}

func useAny(c *Cache[int], draw *rand.Rand, now time.Time) {
	if draw.IntN(4) == 0 {
		n := New{Privileged: draw.IntN(4) == 0, Partitions: 1 + draw.IntN(12)}
		c.Create(now, n, func(s *Session[int]) {
			for index := range n.Partitions {
				s.Want(Key{Topic: "a", Index: int32(index)}, Wanted{})
			}
		})
		return
	}
	id, epoch := draw.Int32N(8), 1+draw.Int32N(3)
	s, _ := c.Continue(now, id, epoch, false, func(s *Session[int]) {
		s.Want(Key{Topic: "a", Index: draw.Int32N(20)}, Wanted{Offset: 1})
		s.Forget(Key{Topic: "a", Index: draw.Int32N(20)})
	})
	if s == nil {
		return
	}
	// An error says that another reader was quicker.
	_ = s.Finish(epoch, func(s *Session[int]) {
		for _, k := range keysInOrder(s) {
			s.Tell(s.partitions[k], Result{Bytes: int64(draw.IntN(2))})
		}
	})
	if draw.IntN(50) == 0 {
		c.Close(id)
	}
}

func keysInOrder(s *Session[int]) (keys []Key) {
	for p := range s.All() {
		keys = append(keys, p.Key)
	}
	return keys
}

func BenchmarkContinue(b *testing.B) {
	const partitions = 1000
	c := NewCache[int](Limits{Slots: 1, Partitions: partitions, SessionPartitions: partitions}, rand.Int32)
	now := time.Unix(0, 0)
	id := c.Create(now, New{Partitions: partitions}, func(s *Session[int]) {
		for index := range int32(partitions) {
			s.Tell(s.Want(Key{Topic: "a", Index: index}, Wanted{}), Result{})
		}
	})
	b.ReportAllocs()
	all := make([]*Partition[int], 0, partitions)
	for n := range int32(b.N) {
		all = all[:0]
		s, _ := c.Continue(now, id, n+1, false, func(s *Session[int]) {
			for p := range s.All() {
				all = append(all, p)
			}
		})
		_ = s.Finish(n+1, func(s *Session[int]) {
			for _, p := range all {
				s.Tell(p, Result{})
			}
		})
	}
}
