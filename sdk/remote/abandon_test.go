package remote

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/module"
)

// starting is a start of a shell that runs a script.
func starting(t *testing.T, script string) *Process {
	t.Helper()
	p, err := prepare(Command{
		Path: "/bin/sh", Args: []string{"-c", script}, Kind: module.Partitioner, Name: "x", StartTimeout: time.Minute,
	}.withDefaults())
	require.NoError(t, err)
	return p
}

// A machine that stalls may come to kill a process that is gone already.
func TestAProcessThatEndedByItselfDidSoWhoeverComesToKillIt(t *testing.T) {
	p := starting(t, "echo no licence >&2; exit 3")
	err := p.connect(t.Context())
	require.Error(t, err)
	<-p.child.Exited()
	p.runner.kill()
	require.ErrorContains(t, p.abandon(t.Context(), err), "did not start: the process exited with status 3 before it was ready; it wrote last: no licence")
}

// What a process answers is not lost when it ends over it.
func TestTheAnswerOfAProcessIsWhyItDidNotStart(t *testing.T) {
	p := starting(t, "exit 1")
	require.Error(t, p.connect(t.Context()))
	<-p.child.Exited()
	err := p.abandon(t.Context(), module.Invalidf("the table has no name"))
	require.ErrorContains(t, err, "did not start: the table has no name")
	require.Equal(t, module.Invalid, module.ClassOf(err))
}

func TestAStartWhoseTimeIsOverBeforeThereIsAProcess(t *testing.T) {
	ctx, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	p := starting(t, "exit 1")
	p.runner.kill()
	err := p.abandon(ctx, p.connect(ctx))
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.ErrorContains(t, err, "did not start: it was not ready in time (it has 1m0s)")
	require.Equal(t, module.Retriable, module.ClassOf(err))
	require.NoDirExists(t, p.socketDir.Path)
}
