package assignortest

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/assignor"
)

func balanced(t *testing.T, a assignor.Assignor) {
	for members := 1; members <= 9; members++ {
		for _, partitions := range [][]int32{{1}, {7}, {1, 1, 1}, {3, 5, 11}, {40, 1}} {
			requireBalanced(t, Assign(t, a, Uniform(members, partitions...)))
		}
	}
}

func requireBalanced(t *testing.T, assignment assignor.Assignment) {
	t.Helper()
	counts := Counts(assignment)
	require.LessOrEqual(t, slices.Max(counts)-slices.Min(counts), 1, "partitions by member: %v", counts)
}

// settledStays is for every kind of group: what an assignor gave, it gives
// again when nothing changed.
func settledStays(t *testing.T, a assignor.Assignor, racks bool) {
	for seed := range uint64(seeds) {
		before := Random(seed)
		if !racks {
			withoutRacks(&before)
		}
		given := Assign(t, a, before)
		after := Settle(before, given, 5)
		require.True(t, assignor.Unchanged(before, given, after), "seed %d", seed)
		require.NoError(t, assignor.CheckUnchanged(before, given, after, Assign(t, a, after)), "seed %d", seed)
	}
}

func withoutRacks(snapshot *assignor.Snapshot) {
	for i := range snapshot.Members {
		snapshot.Members[i].Rack = ""
	}
}

func memberLeaves(t *testing.T, a assignor.Assignor) {
	for members := 2; members <= 9; members++ {
		for leaver := range members {
			snapshot := Uniform(members, 3, 5, 11)
			settled := Settle(snapshot, Assign(t, a, snapshot), 1)
			settled.Members = slices.Delete(settled.Members, leaver, leaver+1)
			after := Assign(t, a, settled)
			requireBalanced(t, after)
			require.Zero(t, moved(settled, after), "member %d of %d left, and others lost partitions", leaver, members)
		}
	}
}

// memberJoins asks that only the newcomer's share moves.
func memberJoins(t *testing.T, a assignor.Assignor) {
	for members := 2; members <= 9; members++ {
		for newcomer := range members {
			grown := Uniform(members, 3, 5, 11)
			before := Clone(grown)
			before.Members = slices.Delete(before.Members, newcomer, newcomer+1)
			settled := Settle(before, Assign(t, a, before), 1)
			settled.Members = slices.Insert(settled.Members, newcomer, grown.Members[newcomer])
			after := Assign(t, a, settled)
			requireBalanced(t, after)
			require.Equal(t, Counts(after)[newcomer], moved(settled, after), "member %d of %d joined", newcomer, members)
		}
	}
}

// moved counts the partitions that their owners lost.
func moved(before assignor.Snapshot, after assignor.Assignment) int {
	lost := 0
	for i, member := range before.Members {
		for _, owned := range member.Owned {
			for _, p := range owned.Partitions {
				if !has(after.Members[i], owned.Topic, p) {
					lost++
				}
			}
		}
	}
	return lost
}

func has(member assignor.MemberAssignment, topic string, partition int32) bool {
	return slices.ContainsFunc(member.Partitions, func(tp assignor.TopicPartitions) bool {
		return tp.Topic == topic && slices.Contains(tp.Partitions, partition)
	})
}

// doubleClaim is a member that missed a rebalance and comes back with what
// others have by now.
func doubleClaim(t *testing.T, a assignor.Assignor) {
	for _, stale := range []int{0, 1} {
		snapshot := Uniform(2, 4)
		for i := range snapshot.Members {
			snapshot.Members[i].Owned = []assignor.TopicPartitions{{Topic: "topic-000", Partitions: []int32{0, 1}}}
			snapshot.Members[i].Generation = 7
		}
		snapshot.Members[stale].Generation = 6
		after := Assign(t, a, snapshot)
		require.True(t, has(after.Members[1-stale], "topic-000", 0), "member %d has the higher generation: %v", 1-stale, after)
		require.True(t, has(after.Members[1-stale], "topic-000", 1), "member %d has the higher generation: %v", 1-stale, after)
	}
}
