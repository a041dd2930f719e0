package sticky_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/plugins/assignor/sticky"
	"odradek.dev/sdk/assignor"
	"odradek.dev/sdk/assignor/assignortest"
)

// Every spread of partitions over members of mixed subscriptions is tried, and
// none may be more even.
func TestNoAssignmentIsMoreEven(t *testing.T) {
	tried := 0
	for seed := uint64(0); tried < 60; seed++ {
		snapshot := assignortest.Random(seed)
		choices := 1
		for topic, members := range snapshot.Subscribers(snapshot.StaticFirst()) {
			for range snapshot.Topics[topic].Partitions {
				choices = min(choices*len(members), 1<<20)
			}
		}
		if choices < 2 || choices > 20_000 {
			continue
		}
		tried++
		got := assignortest.Assign(t, open(t), snapshot)
		require.Equal(t, leastUneven(snapshot), unevenness(assignortest.Counts(got)), "seed %d", seed)
	}
}

// unevenness is least for the most even of the spreads of equal sum.
func unevenness(counts []int) int {
	sum := 0
	for _, count := range counts {
		sum += count * count
	}
	return sum
}

func leastUneven(snapshot assignor.Snapshot) int {
	var choices [][]int
	for topic, members := range snapshot.Subscribers(snapshot.StaticFirst()) {
		for range snapshot.Topics[topic].Partitions {
			choices = append(choices, members)
		}
	}
	counts := make([]int, len(snapshot.Members))
	var try func(at int) int
	try = func(at int) int {
		if at == len(choices) {
			return unevenness(counts)
		}
		least := 1 << 30
		for _, member := range choices[at] {
			counts[member]++
			least = min(least, try(at+1))
			counts[member]--
		}
		return least
	}
	return try(0)
}

// The third member can be helped only by the second, which only the first can
// help.
func TestShiftsAlongAChain(t *testing.T) {
	snapshot := assignor.Snapshot{
		Topics: []assignor.Topic{{Name: "a", Partitions: 4}, {Name: "b", Partitions: 2}},
		Members: []assignor.Member{
			{ID: "1", Topics: []string{"a"}, Owned: []assignor.TopicPartitions{{Topic: "a", Partitions: []int32{0, 1, 2, 3}}}},
			{ID: "2", Topics: []string{"a", "b"}, Owned: []assignor.TopicPartitions{{Topic: "b", Partitions: []int32{0, 1}}}},
			{ID: "3", Topics: []string{"b"}},
		},
	}
	require.Equal(t, []int{2, 2, 2}, assignortest.Counts(assignortest.Assign(t, open(t), snapshot)))
}

func TestEqualClaimsCancelOut(t *testing.T) {
	snapshot := assignortest.Uniform(3, 3)
	for i := range snapshot.Members[:2] {
		snapshot.Members[i].Owned = []assignor.TopicPartitions{{Topic: "topic-000", Partitions: []int32{2}}}
		snapshot.Members[i].Generation = 7
	}
	snapshot.Members[2].Owned = []assignor.TopicPartitions{{Topic: "topic-000", Partitions: []int32{0, 2}}}
	snapshot.Members[2].Generation = 6
	after := assignortest.Assign(t, open(t), snapshot)
	require.Equal(t, []int32{0}, after.Members[2].Partitions[0].Partitions, "the older claim does not come back")
}

func TestStaticMemberWinsTies(t *testing.T) {
	snapshot := assignortest.Uniform(3, 1)
	snapshot.Members[2].InstanceID = "static"
	require.Equal(t, []int{0, 0, 1}, assignortest.Counts(assignortest.Assign(t, open(t), snapshot)))
}

func BenchmarkCrowd(b *testing.B) {
	snapshot := assignortest.Uniform(1000, 1000)
	all := assignor.TopicPartitions{Topic: "topic-000"}
	for p := range int32(1000) {
		all.Partitions = append(all.Partitions, p)
	}
	snapshot.Members[0].Owned = []assignor.TopicPartitions{all}
	for b.Loop() {
		if _, err := sticky.New().Assign(b.Context(), snapshot); err != nil {
			b.Fatal(err)
		}
	}
}

func TestWorkEndsWithItsContext(t *testing.T) {
	_, err := open(t).Assign(&countdown{t.Context(), 10}, assignortest.Uniform(3, 100))
	require.ErrorIs(t, err, context.Canceled)
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
