package deadline

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/core/internal/group/step"
)

func TestAnEmptyQueueWaitsForNothing(t *testing.T) {
	var q Queue[string]
	e := Entry[string]{Value: "a"}
	require.Nil(t, q.First())
	require.Equal(t, step.Never, q.At())
	require.Equal(t, step.Never, e.At())
	q.Remove(&e)
	q.Set(&e, step.Never)
	require.False(t, e.Waits())
	require.Zero(t, q.Len())
}

// TestTheFirstIsTheEarliest sets, puts off and removes by chance, and holds the
// queue to a list of what waits.
func TestTheFirstIsTheEarliest(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 2))
	entries := make([]Entry[int], 40)
	at := map[int]int64{}
	var q Queue[int]
	for range 5000 {
		i := draw.IntN(len(entries))
		entries[i].Value = i
		switch draw.IntN(4) {
		case 0:
			q.Remove(&entries[i])
			delete(at, i)
		case 1:
			q.Set(&entries[i], step.Never)
			delete(at, i)
		default:
			at[i] = draw.Int64N(100)
			q.Set(&entries[i], at[i])
		}
		requireLike(t, &q, entries, at)
	}
	for was := int64(-1); q.Len() > 0; {
		first := q.First()
		require.GreaterOrEqual(t, first.At(), was)
		was = first.At()
		q.Remove(first)
	}
}

func requireLike(t *testing.T, q *Queue[int], entries []Entry[int], at map[int]int64) {
	t.Helper()
	require.Equal(t, len(at), q.Len())
	least := step.Never
	for i := range entries {
		want, waits := at[i]
		require.Equal(t, waits, entries[i].Waits())
		if !waits {
			want = step.Never
		}
		require.Equal(t, want, entries[i].At())
		least = min(least, want)
	}
	require.Equal(t, least, q.At())
	if q.Len() > 0 {
		require.Equal(t, least, at[q.First().Value])
	}
}
