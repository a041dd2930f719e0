package assignortest

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/assignor"
)

// seeds is how many random groups each part of the suite looks at.
const seeds = 200

// Run holds the assignors that open returns to the contract. Each part of the
// suite opens its own.
func Run(t *testing.T, open func(t *testing.T) assignor.Assignor, options ...Option) {
	var promised promises
	for _, option := range options {
		option(&promised)
	}
	part := func(name string, when bool, test func(*testing.T, assignor.Assignor)) {
		if when {
			t.Run(name, func(t *testing.T) { test(t, open(t)) })
		}
	}
	part("random groups", true, randomGroups)
	part("no members", true, noMembers)
	part("members without topics", true, membersWithoutTopics)
	part("more members than partitions", true, moreMembers)
	part("false claims", true, falseClaims)
	part("equal snapshots", true, func(t *testing.T, a assignor.Assignor) { equalSnapshots(t, a, open(t)) })
	part("many callers", true, manyCallers)
	part("snapshot stays as it was", true, snapshotUntouched)
	part("context that has ended", true, endedContext)
	part("thousand members", true, thousandMembers)
	part("only order matters", promised.onlyOrderMatters, onlyOrder)
	part("balanced", promised.balanced, balanced)
	part("settled group stays", true, func(t *testing.T, a assignor.Assignor) { settledStays(t, a, !promised.movesForRacks) })
	part("member leaves", promised.sticky, memberLeaves)
	part("member joins", promised.sticky, memberJoins)
	part("double claim", promised.sticky, doubleClaim)
}

func randomGroups(t *testing.T, a assignor.Assignor) {
	for seed := range uint64(seeds) {
		snapshot := Random(seed)
		assignment, err := a.Assign(t.Context(), snapshot)
		require.NoError(t, err, "seed %d", seed)
		require.NoError(t, assignor.Check(snapshot, assignment), "seed %d", seed)
	}
}

func noMembers(t *testing.T, a assignor.Assignor) {
	require.Empty(t, Assign(t, a, assignor.Snapshot{Group: "g"}).Members)
}

func membersWithoutTopics(t *testing.T, a assignor.Assignor) {
	snapshot := Uniform(4, 5)
	snapshot.Members[0].Topics, snapshot.Members[2].Topics = nil, nil
	counts := Counts(Assign(t, a, snapshot))
	require.Equal(t, []int{0, 0}, []int{counts[0], counts[2]})

	Assign(t, a, Uniform(3))
}

func moreMembers(t *testing.T, a assignor.Assignor) {
	Assign(t, a, Uniform(10, 3))
	Assign(t, a, Uniform(10, 1, 1))
}

func falseClaims(t *testing.T, a assignor.Assignor) {
	snapshot := Uniform(3, 4)
	snapshot.Members[0].Owned = []assignor.TopicPartitions{
		{Topic: "gone", Partitions: []int32{0, 1}}, {Topic: "topic-000", Partitions: []int32{-1, 2, 2, 4, 1 << 30}},
	}
	snapshot.Members[1].Owned = []assignor.TopicPartitions{{Topic: "topic-000", Partitions: []int32{0, 1, 2, 3}}}
	snapshot.Members[1].Topics = nil
	Assign(t, a, snapshot)
}

func equalSnapshots(t *testing.T, a, other assignor.Assignor) {
	for seed := range uint64(seeds) {
		require.Equal(t, Assign(t, a, Random(seed)), Assign(t, a, Random(seed)), "seed %d", seed)
	}
	Equal(t, a, other)
}

// Equal asserts that two instances of equal settings, as a rule one in this
// process and one in another, answer alike whatever they are asked.
func Equal(t *testing.T, one, other assignor.Assignor) {
	t.Helper()
	for seed := range uint64(seeds) {
		require.Equal(t, Assign(t, one, Random(seed)), Assign(t, other, Random(seed)), "seed %d", seed)
	}
}

func manyCallers(t *testing.T, a assignor.Assignor) {
	want := make([]assignor.Assignment, 20)
	for seed := range want {
		want[seed] = Assign(t, a, Random(uint64(seed)))
	}
	var callers sync.WaitGroup
	failures := make(chan string, 8)
	for range 8 {
		callers.Go(func() {
			for seed := range want {
				got, err := a.Assign(t.Context(), Random(uint64(seed)))
				if err != nil || !equal(want[seed], got) {
					failures <- fmt.Sprintf("seed %d among many callers: %v, %v", seed, got, err)
					return
				}
			}
		})
	}
	callers.Wait()
	close(failures)
	for failure := range failures {
		t.Error(failure)
	}
}

func equal(a, b assignor.Assignment) bool {
	return slices.EqualFunc(a.Members, b.Members, func(a, b assignor.MemberAssignment) bool {
		return slices.Equal(a.UserData, b.UserData) && slices.EqualFunc(a.Partitions, b.Partitions, func(a, b assignor.TopicPartitions) bool {
			return a.Topic == b.Topic && slices.Equal(a.Partitions, b.Partitions)
		})
	})
}

func snapshotUntouched(t *testing.T, a assignor.Assignor) {
	for seed := range uint64(seeds) {
		snapshot := Random(seed)
		Assign(t, a, snapshot)
		require.Equal(t, Random(seed), snapshot, "seed %d", seed)
	}
}

func endedContext(t *testing.T, a assignor.Assignor) {
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := a.Assign(cancelled, Uniform(3, 7))
	require.Error(t, err, "it answers though the context has ended")
	Assign(t, a, Uniform(3, 7))
}

// thousandMembers asks for the largest groups that are seen in the field. The
// limit is generous, since a test machine is slow; what it catches is work
// that grows with the square of the group.
func thousandMembers(t *testing.T, a assignor.Assignor) {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	for _, snapshot := range []assignor.Snapshot{
		Uniform(1000, slices.Repeat([]int32{100}, 10)...), crowded(), mixed(),
	} {
		assignment, err := a.Assign(ctx, snapshot)
		require.NoError(t, err)
		require.NoError(t, assignor.Check(snapshot, assignment))
	}
}

// crowded is a group in which one member has everything and 999 just came.
func crowded() assignor.Snapshot {
	snapshot := Uniform(1000, 1000)
	all := assignor.TopicPartitions{Topic: "topic-000"}
	for p := range int32(1000) {
		all.Partitions = append(all.Partitions, p)
	}
	snapshot.Members[500].Owned, snapshot.Members[500].Generation = []assignor.TopicPartitions{all}, 1
	return snapshot
}

// mixed is a group whose members each subscribe to some topics of many.
func mixed() assignor.Snapshot {
	snapshot := Uniform(1000, slices.Repeat([]int32{20}, 50)...)
	for i := range snapshot.Members {
		topics := snapshot.Members[i].Topics
		snapshot.Members[i].Topics = topics[i%50 : i%50+1+i*7%(50-i%50)]
	}
	return snapshot
}

func onlyOrder(t *testing.T, a assignor.Assignor) {
	for seed := range uint64(seeds) {
		plain, renamed := Random(seed), Random(seed)
		rename := func(name string) string { return "~" + name + "/x" }
		for i := range renamed.Members {
			member := &renamed.Members[i]
			member.ID = rename(member.ID)
			for j := range member.Topics {
				member.Topics[j] = rename(member.Topics[j])
			}
			for j := range member.Owned {
				member.Owned[j].Topic = rename(member.Owned[j].Topic)
			}
		}
		for i := range renamed.Topics {
			renamed.Topics[i].Name = rename(renamed.Topics[i].Name)
		}
		want := Assign(t, a, plain)
		for i := range want.Members {
			for j := range want.Members[i].Partitions {
				want.Members[i].Partitions[j].Topic = rename(want.Members[i].Partitions[j].Topic)
			}
		}
		require.Equal(t, want, Assign(t, a, renamed), "seed %d", seed)
	}
}
