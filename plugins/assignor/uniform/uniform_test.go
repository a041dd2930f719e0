package uniform_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/plugins/assignor/uniform"
	"odradek.dev/sdk/assignor"
	"odradek.dev/sdk/assignor/assignortest"
)

// The first members had one more than each gets, and keep it; a member that
// had less does not take it from them.
func TestWhoHasOneMoreKeepsIt(t *testing.T) {
	snapshot := assignortest.Uniform(3, 4)
	for i, partitions := range [][]int32{{0}, {1, 2}, {3}} {
		snapshot.Members[i].Owned = []assignor.TopicPartitions{{Topic: "topic-000", Partitions: partitions}}
	}
	require.Equal(t, []int{1, 2, 1}, assignortest.Counts(assignortest.Assign(t, open(t), snapshot)))
}

func TestWorkEndsWithItsContext(t *testing.T) {
	for _, snapshot := range []assignor.Snapshot{assignortest.Uniform(50, 100), mixed(50, 20, 5)} {
		_, err := open(t).Assign(&countdown{t.Context(), 10}, snapshot)
		require.ErrorIs(t, err, context.Canceled)
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

// mixed is a group whose members each subscribe to some topics of many.
func mixed(members, topics int, partitions int32) assignor.Snapshot {
	snapshot := assignortest.Uniform(members, slices.Repeat([]int32{partitions}, topics)...)
	for i := range snapshot.Members {
		all := snapshot.Members[i].Topics
		first := i % topics
		snapshot.Members[i].Topics = all[first : first+1+i*7%(topics-first)]
	}
	return snapshot
}

func BenchmarkThousandMembers(b *testing.B) {
	benchmark(b, assignortest.Uniform(1000, slices.Repeat([]int32{100}, 100)...))
}

func BenchmarkThousandMembersMixed(b *testing.B) { benchmark(b, mixed(1000, 100, 100)) }

func benchmark(b *testing.B, snapshot assignor.Snapshot) {
	for b.Loop() {
		if _, err := uniform.New().Assign(b.Context(), snapshot); err != nil {
			b.Fatal(err)
		}
	}
}
