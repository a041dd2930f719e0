package kgoadapter_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/sdk/assignor"
	"odradek.dev/sdk/kgoadapter"
)

type balanceFunc func(ctx context.Context, snapshot assignor.Snapshot) (assignor.Assignment, error)

func (f balanceFunc) Assign(ctx context.Context, snapshot assignor.Snapshot) (assignor.Assignment, error) {
	return f(ctx, snapshot)
}

// allToTheChosen gives everything to the members whose user data says so, and
// tells everybody the name of the group.
func allToTheChosen(ctx context.Context, snapshot assignor.Snapshot) (assignor.Assignment, error) {
	plan := assignor.NewPlan(snapshot)
	chosen := 0
	for i, member := range snapshot.Members {
		if string(member.UserData) == "me" {
			chosen = i
		}
	}
	for topic := range snapshot.Topics {
		for p := range snapshot.Topics[topic].Partitions {
			plan.Give(chosen, topic, p)
		}
	}
	assignment := plan.Assignment()
	for i := range assignment.Members {
		assignment.Members[i].UserData = []byte("of " + snapshot.Group)
	}
	return assignment, ctx.Err()
}

// assigned is what one member got in a balance.
type assigned struct {
	member     string
	partitions []int32
	userData   string
}

func join(t *testing.T, addresses []string, name, userData string, got chan<- assigned) *kgo.Client {
	t.Helper()
	var received string
	balancer := kgoadapter.Balancer("chosen", balanceFunc(allToTheChosen), kgoadapter.Timeout(time.Minute),
		kgoadapter.UserData(func() []byte { return []byte(userData) }),
		kgoadapter.Received(func(data []byte) { received = string(data) }))
	return client(t, addresses, kgo.ConsumerGroup("g"), kgo.ConsumeTopics("t"), kgo.Balancers(balancer),
		kgo.HeartbeatInterval(100*time.Millisecond),
		kgo.OnPartitionsAssigned(func(_ context.Context, _ *kgo.Client, topics map[string][]int32) {
			got <- assigned{name, topics["t"], received}
		}))
}

func TestGroupConsumesWhatTheModuleSays(t *testing.T) {
	addresses := cluster(t, "t", 5)
	got := make(chan assigned, 100)
	all := []int32{0, 1, 2, 3, 4}

	join(t, addresses, "first", "not me", got)
	require.Equal(t, assigned{"first", all, "of g"}, next(t, got, "first"))

	join(t, addresses, "second", "me", got)
	require.Equal(t, assigned{"second", all, "of g"}, next(t, got, "second"))
}

// next waits for what a member gets.
func next(t *testing.T, got <-chan assigned, member string) assigned {
	t.Helper()
	for {
		select {
		case a := <-got:
			if a.member == member {
				return a
			}
		case <-time.After(time.Minute):
			require.FailNow(t, "nothing was assigned", member)
		}
	}
}

func joined(t *testing.T, b kgo.GroupBalancer, id, instance string, owned map[string][]int32, generation int32, topics ...string) kmsg.JoinGroupResponseMember {
	t.Helper()
	member := kmsg.NewJoinGroupResponseMember()
	member.MemberID = id
	if instance != "" {
		member.InstanceID = &instance
	}
	member.ProtocolMetadata = b.JoinGroupMetadata(topics, owned, generation)
	return member
}

// balance leads a group as a client does.
func balance(t *testing.T, b kgo.GroupBalancer, topics map[string]int32, members ...kmsg.JoinGroupResponseMember) map[string]map[string][]int32 {
	t.Helper()
	group, wanted, err := b.MemberBalancer(members)
	require.NoError(t, err)
	for topic := range topics {
		require.Contains(t, wanted, topic)
	}
	plan, err := group.(kgo.GroupMemberBalancerOrError).BalanceOrError(topics)
	require.NoError(t, err)
	got := make(map[string]map[string][]int32)
	for _, answer := range plan.IntoSyncAssignment() {
		got[answer.MemberID], err = b.ParseSyncAssignment(answer.MemberAssignment)
		require.NoError(t, err)
	}
	return got
}

func TestModuleSeesTheGroup(t *testing.T) {
	var seen assignor.Snapshot
	b := kgoadapter.Balancer("x", balanceFunc(func(ctx context.Context, s assignor.Snapshot) (assignor.Assignment, error) {
		seen = s
		return allToTheChosen(ctx, s)
	}), kgoadapter.UserData(func() []byte { return []byte("hello") }))
	balance(t, b, map[string]int32{"a": 2, "b": 1},
		joined(t, b, "m2", "static", map[string][]int32{"b": {0}, "a": {1, 0}}, 7, "b", "a"),
		joined(t, b, "m1", "", nil, -1, "a", "gone"))
	require.Equal(t, assignor.Snapshot{
		Members: []assignor.Member{
			{ID: "m1", Topics: []string{"a"}, UserData: []byte("hello"), Generation: -1},
			{
				ID: "m2", InstanceID: "static", Topics: []string{"a", "b"}, UserData: []byte("hello"), Generation: 7,
				Owned: []assignor.TopicPartitions{{Topic: "a", Partitions: []int32{0, 1}}, {Topic: "b", Partitions: []int32{0}}},
			},
		},
		Topics: []assignor.Topic{{Name: "a", Partitions: 2}, {Name: "b", Partitions: 1}},
	}, seen)
}

func TestBalancerFallsBackToRange(t *testing.T) {
	for name, failing := range map[string]balanceFunc{
		"error": func(context.Context, assignor.Snapshot) (assignor.Assignment, error) {
			return assignor.Assignment{}, errors.New("broken")
		},
		"panic": func(context.Context, assignor.Snapshot) (assignor.Assignment, error) { panic("broken") },
		"not exact": func(context.Context, assignor.Snapshot) (assignor.Assignment, error) {
			return assignor.Assignment{}, nil
		},
		"missed deadline": func(ctx context.Context, _ assignor.Snapshot) (assignor.Assignment, error) {
			<-ctx.Done()
			return assignor.Assignment{}, ctx.Err()
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := kgoadapter.Balancer("x", failing, quiet(), kgoadapter.Timeout(time.Millisecond))
			got := balance(t, b, map[string]int32{"a": 5},
				joined(t, b, "m1", "", nil, -1, "a"), joined(t, b, "m2", "", nil, -1, "a"))
			require.Equal(t, map[string]map[string][]int32{"m1": {"a": {0, 1, 2}}, "m2": {"a": {3, 4}}}, got)
		})
	}
}

// KIP-429: what moves is given to nobody until its owner has let go of it.
func TestCooperativeBalancerTakesAwayFirst(t *testing.T) {
	everythingToTheLast := func(_ context.Context, s assignor.Snapshot) (assignor.Assignment, error) {
		plan := assignor.NewPlan(s)
		for p := range s.Topics[0].Partitions {
			plan.Give(len(s.Members)-1, 0, p)
		}
		return plan.Assignment(), nil
	}
	b := kgoadapter.Balancer("x", balanceFunc(everythingToTheLast), kgoadapter.Cooperative())
	require.True(t, b.IsCooperative())
	first := balance(t, b, map[string]int32{"a": 3},
		joined(t, b, "m1", "", map[string][]int32{"a": {0, 1}}, 1, "a"), joined(t, b, "m2", "", map[string][]int32{"a": {2}}, 1, "a"))
	require.Equal(t, map[string]map[string][]int32{"m1": {}, "m2": {"a": {2}}}, first)
	second := balance(t, b, map[string]int32{"a": 3},
		joined(t, b, "m1", "", nil, 2, "a"), joined(t, b, "m2", "", first["m2"], 2, "a"))
	require.Equal(t, map[string]map[string][]int32{"m1": {}, "m2": {"a": {0, 1, 2}}}, second)
}

func TestModuleSeesRacks(t *testing.T) {
	var seen assignor.Snapshot
	b := kgoadapter.Balancer("x", balanceFunc(func(ctx context.Context, s assignor.Snapshot) (assignor.Assignment, error) {
		seen = s
		return allToTheChosen(ctx, s)
	}))
	rack := func(name string) *string { return &name }
	group, _, err := b.MemberBalancer([]kmsg.JoinGroupResponseMember{joined(t, b, "m1", "", nil, -1, "a")})
	require.NoError(t, err)
	_, meta := group.(*kgo.ConsumerBalancer).MemberAt(0)
	meta.Rack = rack("east")
	group.(*kgo.ConsumerBalancer).SetBalanceInfo(kgo.BalanceInfo{
		Group: "g",
		Topics: func() map[string]kgo.TopicMetadata {
			return map[string]kgo.TopicMetadata{"a": {Partitions: []kgo.PartitionMetadata{
				{Partition: 0, Replicas: []int32{2, 1}}, {Partition: 1, Replicas: []int32{3}}, {Partition: 9, Replicas: []int32{1}},
			}}}
		},
		Brokers: func() map[int32]kgo.BrokerMetadata {
			return map[int32]kgo.BrokerMetadata{1: {Rack: rack("east")}, 2: {Rack: rack("west")}, 3: {}}
		},
	})
	_, err = group.(kgo.GroupMemberBalancerOrError).BalanceOrError(map[string]int32{"a": 2})
	require.NoError(t, err)
	require.Equal(t, "g", seen.Group)
	require.Equal(t, "east", seen.Members[0].Rack)
	require.Equal(t, [][]string{{"east", "west"}, nil}, seen.Topics[0].Racks)
}
