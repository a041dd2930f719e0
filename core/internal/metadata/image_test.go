package metadata

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/module"
	"odradek.dev/sdk/replication"
)

func withTopics(t testing.TB, names ...string) *Image {
	i := Empty()
	for n, name := range names {
		r := &TopicCreated{TopicID: TopicID{0: byte(n >> 16), 1: byte(n >> 8), 2: byte(n), 15: 1}, Name: name, Strategy: "first"}
		r.Partitions = []partitionState{{Leader: 1, Replicas: []int32{1}}}
		next, err := Apply(i, i.Index()+1, r)
		require.NoError(t, err)
		i = next
	}
	return i
}

func namesOf(i *Image) []string {
	var names []string
	for topic := range i.Topics() {
		names = append(names, topic.Name)
	}
	return names
}

func TestAnImageDoesNotChange(t *testing.T) {
	before := withTopics(t, "a", "b")
	state, err := EncodeSnapshot(before)
	require.NoError(t, err)
	a, _ := before.Topic("a")
	for _, r := range []Record{
		&LeaderRestarted{Leader: 1},
		&TopicConfigured{TopicID: a.ID, Configs: map[string]string{"k": "v"}},
		&PartitionChanged{TopicID: a.ID, State: partitionState{Version: 1}},
		&PartitionsAdded{TopicID: a.ID, Partitions: make([]partitionState, 3)},
		&TopicDeleted{TopicID: a.ID},
		&BrokerRegistered{ID: 1, Epoch: 1},
		&ProducerIDsAllocated{First: 0, Next: 10},
		&ClusterNamed{ClusterID: "x"},
	} {
		after, err := Apply(before, before.Index()+1, r)
		require.NoError(t, err)
		require.NotEqual(t, before, after)
		same, err := EncodeSnapshot(before)
		require.NoError(t, err)
		require.JSONEq(t, string(state), string(same), "%T changed the image that it was applied to", r)
	}
}

func TestTwoImagesThatAddPartitionsDoNotShareThem(t *testing.T) {
	base := withTopics(t, "a")
	a, _ := base.Topic("a")
	added := func(leader int32) *PartitionsAdded {
		return &PartitionsAdded{TopicID: a.ID, Partitions: []partitionState{{Leader: leader}}}
	}
	one, err := Apply(base, 2, added(1))
	require.NoError(t, err)
	two, err := Apply(base, 2, added(2))
	require.NoError(t, err)
	first, _ := one.Topic("a")
	second, _ := two.Topic("a")
	require.EqualValues(t, 1, first.Partitions[1].Record.Leader)
	require.EqualValues(t, 2, second.Partitions[1].Record.Leader)
}

func TestTopicsAscendByName(t *testing.T) {
	i := withTopics(t, "b", "a", "ab", "a.b", "B", "abc", "a-", "a_b2")
	require.Equal(t, []string{"B", "a", "a-", "a.b", "a_b2", "ab", "abc", "b"}, namesOf(i))
	for topic := range i.Topics() {
		require.Equal(t, "B", topic.Name)
		break
	}
}

func TestRecordsAreAppliedWithoutAGap(t *testing.T) {
	i := withTopics(t, "a")
	for _, index := range []int64{-1, 0, 1, 3} {
		_, err := Apply(i, index, &LeaderRestarted{})
		require.Error(t, err)
		require.Equal(t, module.Fatal, module.ClassOf(err))
	}
}

func TestSnapshotsOfAnotherKindAreRefused(t *testing.T) {
	for _, state := range []string{``, `{`, `null x`, `{"version":4}`, `{"version":3,"features":{"group.version":9}}`, `{"version":0,"new":1}`, `{"version":0} {}`} {
		_, err := DecodeSnapshot(7, []byte(state))
		require.Error(t, err, state)
		require.Equal(t, module.Fatal, module.ClassOf(err))
		require.Contains(t, err.Error(), "7")
	}
}

func TestTopicNamesOfTheLongestLength(t *testing.T) {
	require.Nil(t, CheckTopicName(strings.Repeat("x", 249)))
	require.NotNil(t, CheckTopicName(strings.Repeat("x", 250)))
}

func TestPlacementIsFair(t *testing.T) {
	live := []int32{1, 3, 4, 7, 9}
	leads, follows := map[int32]int{}, map[[2]int32]int{}
	placed, failure := place(TopicID{2: 5}, live, 0, 100, 3)
	require.Nil(t, failure)
	for _, replicas := range placed {
		require.Len(t, map[int32]bool{replicas[0]: true, replicas[1]: true, replicas[2]: true}, 3)
		leads[replicas[0]]++
		follows[[2]int32{replicas[0], replicas[1]}]++
	}
	for _, node := range live {
		require.Equal(t, 20, leads[node])
	}
	for pair, count := range follows {
		require.Equal(t, 5, count, "%v", pair)
	}
	_, failure = place(TopicID{}, nil, 0, 1, 1)
	require.NotNil(t, failure)
}

func FuzzDecode(f *testing.F) {
	for _, r := range blankRecords() {
		text, err := Encode(r)
		require.NoError(f, err)
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := Decode(data)
		if err != nil {
			require.Equal(t, module.Fatal, module.ClassOf(err))
			return
		}
		_, _ = Apply(Empty(), 1, r) // either way, but without a panic
		again, err := Encode(r)
		require.NoError(t, err)
		same, err := Decode(again)
		require.NoError(t, err)
		last, err := Encode(same)
		require.NoError(t, err)
		require.Equal(t, string(again), string(last))
	})
}

// A snapshot is refused, or is written again as it was understood.
func FuzzDecodeSnapshot(f *testing.F) {
	whole, err := EncodeSnapshot(withTopics(f, "orders", "payments"))
	require.NoError(f, err)
	f.Add(whole)
	f.Add([]byte(`{"version":1,"topics":[{"name":"orders"},{"name":"orders"}]}`))
	f.Add([]byte(`{"version":2}`))
	f.Fuzz(func(t *testing.T, state []byte) {
		i, err := DecodeSnapshot(9, state)
		if err != nil {
			require.Equal(t, module.Fatal, module.ClassOf(err))
			return
		}
		once, err := EncodeSnapshot(i)
		require.NoError(t, err)
		again, err := DecodeSnapshot(9, once)
		require.NoError(t, err)
		twice, err := EncodeSnapshot(again)
		require.NoError(t, err)
		require.Equal(t, string(once), string(twice))
	})
}

// BenchmarkApply shows that a change costs the same however many topics there
// are.
func BenchmarkApply(b *testing.B) {
	for _, topics := range []int{100, 10_000} {
		names := make([]string, topics)
		for n := range names {
			names[n] = fmt.Sprintf("topic-%d", n)
		}
		i := withTopics(b, names...)
		topic, _ := i.Topic("topic-7")
		r := &PartitionChanged{TopicID: topic.ID, State: partitionState(replication.Record{Version: 1})}
		b.Run(fmt.Sprint(topics), func(b *testing.B) {
			for b.Loop() {
				if _, err := Apply(i, i.Index()+1, r); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
