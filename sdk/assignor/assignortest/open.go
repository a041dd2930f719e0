package assignortest

import (
	"context"
	"testing"

	"github.com/hashicorp/go-hclog"
	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/assignor"
	"odradek.dev/sdk/clock"
	"odradek.dev/sdk/module"
)

// Open builds and starts an instance of a factory in this process, and stops it
// at the end of the test.
func Open(t *testing.T, factory module.Factory, settings map[string]any) assignor.Assignor {
	t.Helper()
	instance, err := factory.New(module.Env{Log: hclog.NewNullLogger(), Clock: clock.Real(), Seed: 1}, settings)
	require.NoError(t, err)
	require.NoError(t, module.Start(t.Context(), instance))
	t.Cleanup(func() { require.NoError(t, module.Stop(context.Background(), instance)) })
	a, ok := instance.(assignor.Assignor)
	require.True(t, ok, "%s is not an assignor", factory.Descriptor())
	return a
}

// Assign asks for an assignment and checks it as the host does.
func Assign(t *testing.T, a assignor.Assignor, snapshot assignor.Snapshot) assignor.Assignment {
	t.Helper()
	assignment, err := a.Assign(t.Context(), snapshot)
	require.NoError(t, err)
	require.NoError(t, assignor.Check(snapshot, assignment))
	return assignment
}

// Counts is how many partitions each member got.
func Counts(assignment assignor.Assignment) []int {
	counts := make([]int, len(assignment.Members))
	for i, member := range assignment.Members {
		for _, tp := range member.Partitions {
			counts[i] += len(tp.Partitions)
		}
	}
	return counts
}
