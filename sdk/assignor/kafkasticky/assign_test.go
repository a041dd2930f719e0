package kafkasticky_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/assignor"
	"odradek.dev/sdk/assignor/assignortest"
	"odradek.dev/sdk/assignor/kafkasticky"
)

// Modules of both names hold the answers to those of Kafka (their
// TestAssignsAsKafkaDoes); here is what a reader wants to see.

func assign(t *testing.T, snapshot assignor.Snapshot) assignor.Assignment {
	t.Helper()
	assignment, err := kafkasticky.Assign(t.Context(), snapshot)
	require.NoError(t, err)
	require.NoError(t, assignor.Check(snapshot, assignment))
	return assignment
}

func owned(topic string, partitions ...int32) []assignor.TopicPartitions {
	return []assignor.TopicPartitions{{Topic: topic, Partitions: partitions}}
}

func TestEqualClaimsCancelOut(t *testing.T) {
	snapshot := assignortest.Uniform(3, 3)
	for i := range snapshot.Members[:2] {
		snapshot.Members[i].Owned, snapshot.Members[i].Generation = owned("topic-000", 2), 7
	}
	snapshot.Members[2].Owned, snapshot.Members[2].Generation = owned("topic-000", 0, 2), 6
	require.Equal(t, owned("topic-000", 0), assign(t, snapshot).Members[2].Partitions, "the older claim does not come back")
}

func TestWhatIsInAnotherRackIsGivenUp(t *testing.T) {
	snapshot := assignortest.Uniform(2, 2)
	snapshot.Topics[0].Racks = [][]string{{"a"}, {"b"}}
	for i, rack := range []string{"a", "b"} {
		snapshot.Members[i].Rack = rack
		snapshot.Members[i].Owned, snapshot.Members[i].Generation = owned("topic-000", int32(1-i)), 1
	}
	after := assign(t, snapshot)
	for i := range after.Members {
		require.Equal(t, owned("topic-000", int32(i)), after.Members[i].Partitions)
	}
}

func TestNewMemberTakesFromTheHeaviest(t *testing.T) {
	snapshot := assignor.Snapshot{
		Topics: []assignor.Topic{{Name: "a", Partitions: 4}, {Name: "b", Partitions: 2}},
		Members: []assignor.Member{
			{ID: "1", Topics: []string{"a"}, Owned: owned("a", 0, 1, 2, 3), Generation: 1},
			{ID: "2", Topics: []string{"a", "b"}, Owned: owned("b", 0, 1), Generation: 1},
			{ID: "3", Topics: []string{"a"}, Generation: -1},
		},
	}
	require.Equal(t, []int{2, 2, 2}, assignortest.Counts(assign(t, snapshot)))
}

func TestWorkEndsWithItsContext(t *testing.T) {
	mixed := assignortest.Uniform(3, 100, 1)
	mixed.Members[0].Topics = mixed.Members[0].Topics[:1]
	for _, snapshot := range []assignor.Snapshot{assignortest.Uniform(3, 100), mixed} {
		_, err := kafkasticky.Assign(&countdown{t.Context(), 10}, snapshot)
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

func BenchmarkCrowd(b *testing.B) {
	snapshot := assignortest.Uniform(1000, 10_000)
	all := make([]int32, 10_000)
	for p := range all {
		all[p] = int32(p)
	}
	snapshot.Members[0].Owned, snapshot.Members[0].Generation = owned("topic-000", all...), 1
	benchmark(b, snapshot)
}

func BenchmarkMixed(b *testing.B) {
	snapshot := assignortest.Uniform(1000, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200)
	for i := range snapshot.Members {
		topics := snapshot.Members[i].Topics
		snapshot.Members[i].Topics = topics[i%10 : i%10+1+i*7%(10-i%10)]
	}
	benchmark(b, snapshot)
}

func benchmark(b *testing.B, snapshot assignor.Snapshot) {
	for b.Loop() {
		if _, err := kafkasticky.Assign(b.Context(), snapshot); err != nil {
			b.Fatal(err)
		}
	}
}
