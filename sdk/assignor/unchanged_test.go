package assignor_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/assignor"
	"odradek.dev/sdk/module"
)

// settled is pair as it is once its members consume what they were given.
func settled() (after assignor.Snapshot, assignment assignor.Assignment) {
	assignment = given(tps{of("a", 0), of("b", 0)}, tps{of("a", 1)})
	after = pair()
	for i := range after.Members {
		after.Members[i].Owned, after.Members[i].Generation = assignment.Members[i].Partitions, 7
	}
	return after, assignment
}

func TestNothingChanged(t *testing.T) {
	after, assignment := settled()
	require.True(t, assignor.Unchanged(pair(), assignment, after))
	require.NoError(t, assignor.CheckUnchanged(pair(), assignment, after, assignment))

	err := assignor.CheckUnchanged(pair(), assignment, after, given(tps{of("a", 1), of("b", 0)}, tps{of("a", 0)}))
	require.ErrorContains(t, err, `gave member "1" other partitions than before, though nothing changed`)
	require.Equal(t, module.Fatal, module.ClassOf(err))
	require.Error(t, assignor.CheckUnchanged(pair(), assignment, after, assignor.Assignment{}))
}

func TestSomethingChanged(t *testing.T) {
	for name, change := range map[string]func(after *assignor.Snapshot){
		"member joined":      func(s *assignor.Snapshot) { s.Members = append(s.Members, assignor.Member{ID: "3"}) },
		"member left":        func(s *assignor.Snapshot) { s.Members = s.Members[:1] },
		"member ID":          func(s *assignor.Snapshot) { s.Members[0].ID = "0" },
		"instance ID":        func(s *assignor.Snapshot) { s.Members[0].InstanceID = "i" },
		"rack":               func(s *assignor.Snapshot) { s.Members[0].Rack = "r" },
		"subscription":       func(s *assignor.Snapshot) { s.Members[1].Topics = []string{"a", "b"} },
		"user data":          func(s *assignor.Snapshot) { s.Members[1].UserData = []byte("3") },
		"owns less":          func(s *assignor.Snapshot) { s.Members[1].Owned = nil },
		"owns another":       func(s *assignor.Snapshot) { s.Members[1].Owned = tps{of("a", 0)} },
		"partitions":         func(s *assignor.Snapshot) { s.Topics[0].Partitions = 3 },
		"topic":              func(s *assignor.Snapshot) { s.Topics = s.Topics[:2] },
		"racks of a replica": func(s *assignor.Snapshot) { s.Topics[1].Racks = [][]string{{"r"}} },
		"lag":                func(s *assignor.Snapshot) { s.Topics[1].Lags = []int64{5} },
		"group":              func(s *assignor.Snapshot) { s.Group = "other" },
	} {
		t.Run(name, func(t *testing.T) {
			after, assignment := settled()
			change(&after)
			require.False(t, assignor.Unchanged(pair(), assignment, after))
			require.NoError(t, assignor.CheckUnchanged(pair(), assignment, after, assignor.Assignment{}))
		})
	}
}

func TestOwners(t *testing.T) {
	snapshot := pair()
	claim := func(member int, generation int32, owned ...assignor.TopicPartitions) {
		snapshot.Members[member].Owned, snapshot.Members[member].Generation = owned, generation
	}
	claim(0, 4, of("a", -1, 0, 0, 1, 2), of("b", 0), of("gone", 0))
	claim(1, 4, of("a", 1), of("b", 0))
	require.Equal(t, [][]int{{0, assignor.Nobody}, {0}, {assignor.Nobody}}, snapshot.Owners())
	claim(1, 5, of("a", 1))
	require.Equal(t, [][]int{{0, 1}, {0}, {assignor.Nobody}}, snapshot.Owners())
}
