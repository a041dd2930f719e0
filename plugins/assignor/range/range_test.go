package ranges_test

import (
	"testing"

	"github.com/stretchr/testify/require"

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
	assignment := assignortest.Assign(t, open(t), snapshot)
	for i, want := range [][]int32{{2, 5}, {1, 4}, {0, 3}} {
		require.Equal(t, want, assignment.Members[i].Partitions[0].Partitions)
		require.Equal(t, want, assignment.Members[i].Partitions[1].Partitions)
	}
}
