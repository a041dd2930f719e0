package ranges_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	ranges "odradek.dev/plugins/assignor/range"
	"odradek.dev/sdk/assignor"
	"odradek.dev/sdk/assignor/assignortest"
)

func TestFirstMembersGetOneMore(t *testing.T) {
	require.Equal(t, []int{3, 2, 2}, assignortest.Counts(assignortest.Assign(t, open(t), assignortest.Uniform(3, 7))))
	require.Equal(t, []int{4, 0, 0}, assignortest.Counts(assignortest.Assign(t, open(t), assignortest.Uniform(3, 1, 1, 1, 1))))
}

func TestEqualTopicsAreAssignedAlike(t *testing.T) {
	snapshot := assignortest.Uniform(3, 6, 6)
	for p := range 6 {
		snapshot.Topics[0].Racks = append(snapshot.Topics[0].Racks, []string{string(rune('a' + p%3))})
	}
	snapshot.Topics[1].Racks = snapshot.Topics[0].Racks
	for i := range snapshot.Members {
		snapshot.Members[i].Rack = string(rune('c' - i))
	}
	assignment := assignortest.Assign(t, openRackAware(t), snapshot)
	for i, want := range [][]int32{{2, 5}, {1, 4}, {0, 3}} {
		require.Equal(t, want, assignment.Members[i].Partitions[0].Partitions)
		require.Equal(t, want, assignment.Members[i].Partitions[1].Partitions)
	}
}

func TestWorkEndsWithItsContext(t *testing.T) {
	byRack := assignortest.Uniform(50, 100)
	for p := range 100 {
		byRack.Topics[0].Racks = append(byRack.Topics[0].Racks, []string{string(rune('a' + p%3))})
	}
	together := assignortest.Uniform(50, 100, 100)
	together.Topics[0].Racks = byRack.Topics[0].Racks
	for i := range 50 {
		byRack.Members[i].Rack, together.Members[i].Rack = "a", "a"
	}
	for _, snapshot := range []assignor.Snapshot{byRack, together} {
		_, err := openRackAware(t).Assign(&countdown{t.Context(), 10}, snapshot)
		require.ErrorIs(t, err, context.Canceled)
	}
}

// TestLargeGroupIsAnswered would take minutes if each member looked at every
// partition. As the fallback, range answers when others could not.
func TestLargeGroupIsAnswered(t *testing.T) {
	began := time.Now()
	counts := assignortest.Counts(assignortest.Assign(t, open(t), assignortest.Uniform(20_000, 200_000)))
	t.Logf("took %v", time.Since(began))
	for _, count := range counts {
		require.Equal(t, 10, count)
	}
}

func BenchmarkThousandMembers(b *testing.B) {
	snapshot := assignortest.Uniform(1000, slices.Repeat([]int32{100}, 100)...)
	for b.Loop() {
		if _, err := ranges.New(ranges.Defaults()).Assign(b.Context(), snapshot); err != nil {
			b.Fatal(err)
		}
	}
}

// countdown is a context that ends when it has been asked a number of times.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left == 0 {
		return context.Canceled
	}
	c.left--
	return nil
}
