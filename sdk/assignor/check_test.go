package assignor_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/assignor"
	"odradek.dev/sdk/module"
)

func pair() assignor.Snapshot {
	return assignor.Snapshot{
		Members: []assignor.Member{{ID: "1", Topics: []string{"a", "b"}}, {ID: "2", Topics: []string{"a"}}},
		Topics:  []assignor.Topic{{Name: "a", Partitions: 2}, {Name: "b", Partitions: 1}, {Name: "c", Partitions: 1}},
	}
}

func given(members ...[]assignor.TopicPartitions) assignor.Assignment {
	var assignment assignor.Assignment
	for _, partitions := range members {
		assignment.Members = append(assignment.Members, assignor.MemberAssignment{Partitions: partitions})
	}
	return assignment
}

func of(topic string, partitions ...int32) assignor.TopicPartitions {
	return assignor.TopicPartitions{Topic: topic, Partitions: partitions}
}

type tps = []assignor.TopicPartitions

func TestCheckAcceptsExactAssignments(t *testing.T) {
	require.NoError(t, assignor.Check(assignor.Snapshot{}, assignor.Assignment{}))
	require.NoError(t, assignor.Check(pair(), given(tps{of("a", 0, 1), of("b", 0)}, nil)))
	require.NoError(t, assignor.Check(pair(), given(tps{of("b", 0)}, tps{of("a", 0, 1)})))
}

func TestCheckNamesWhatIsWrong(t *testing.T) {
	for want, wrong := range map[string]assignor.Assignment{
		"answered for 1 members of 2":                                given(tps{of("a", 0, 1), of("b", 0)}),
		"answered for 3 members of 2":                                given(nil, nil, nil),
		`gave partition 1 of topic "a" to nobody`:                    given(tps{of("b", 0)}, tps{of("a", 0)}),
		`gave partition 0 of topic "b" to nobody`:                    given(nil, tps{of("a", 0, 1)}),
		`partition 1 of topic "a" to two members, the second is "2"`: given(tps{of("a", 0, 1), of("b", 0)}, tps{of("a", 1)}),
		`partition 1 of topic "a" after 1; partitions must ascend`:   given(tps{of("b", 0)}, tps{of("a", 0, 1, 1)}),
		`partition 0 of topic "a" after 1; partitions must ascend`:   given(tps{of("b", 0)}, tps{of("a", 1, 0)}),
		`topic "a" after "b"; topics must ascend`:                    given(tps{of("b", 0), of("a", 0)}, tps{of("a", 1)}),
		`topic "a" after "a"; topics must ascend`:                    given(tps{of("b", 0)}, tps{of("a", 0), of("a", 1)}),
		`member "2" topic "b", to which it does not subscribe`:       given(tps{of("a", 0, 1)}, tps{of("b", 0)}),
		`member "1" topic "c", to which it does not subscribe`:       given(tps{of("a", 0, 1), of("b", 0), of("c", 0)}, nil),
		`member "1" topic "nowhere", to which it does not subscribe`: given(tps{of("nowhere", 0)}, nil),
		`partition 2 of topic "a", which has 2`:                      given(tps{of("a", 0, 1, 2), of("b", 0)}, nil),
		`partition -1 of topic "a", which has 2`:                     given(tps{of("a", -1, 0, 1), of("b", 0)}, nil),
		`member "2" no partition of topic "a"; leave the topic out`:  given(tps{of("a", 0, 1), of("b", 0)}, tps{of("a")}),
	} {
		err := assignor.Check(pair(), wrong)
		require.ErrorContains(t, err, want)
		require.Equal(t, module.Fatal, module.ClassOf(err))
	}
}

func TestPlanSorts(t *testing.T) {
	plan := assignor.NewPlan(pair())
	plan.Give(0, 1, 0)
	plan.Give(0, 0, 1)
	plan.Give(0, 0, 0)
	require.Equal(t, 3, plan.Count(0))
	require.Equal(t, given(tps{of("a", 0, 1), of("b", 0)}, nil), plan.Assignment())
}

func TestStaticMembersComeFirst(t *testing.T) {
	snapshot := assignor.Snapshot{
		Members: []assignor.Member{{ID: "1"}, {ID: "2", InstanceID: "y"}, {ID: "3"}, {ID: "4", InstanceID: "x"}},
	}
	require.Equal(t, []int{3, 1, 0, 2}, snapshot.StaticFirst())
}

func TestSubscribers(t *testing.T) {
	snapshot := pair()
	require.Equal(t, [][]int{{1, 0}, {0}, nil}, snapshot.Subscribers([]int{1, 0}))
}
