package raft

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"odradek.dev/sdk/clock"
	"odradek.dev/sdk/election"
	"odradek.dev/sdk/election/electiontest"
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/vfs"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(victimDir); dir != "" {
		beVictim(dir)
	}
	goleak.VerifyTestMain(m)
}

func TestConformance(t *testing.T) {
	electiontest.Run(t, func(t *testing.T, dir string) (election.Election, func()) {
		r := start(t, dir)
		return r, func() { stop(t, r) }
	})
}

func environment(dir string) module.Env {
	return module.Env{Log: hclog.NewNullLogger(), Clock: clock.Real(), FS: vfs.OS(), Dir: dir, Node: 1}
}

// build makes the module as the host does, with the smallest segments.
func build(t testing.TB, env module.Env) *Raft {
	t.Helper()
	instance, err := Factory().New(env, map[string]any{"segment.bytes": minSegmentBytes})
	require.NoError(t, err)
	return instance.(*Raft)
}

func start(t testing.TB, dir string) *Raft {
	t.Helper()
	r := build(t, environment(dir))
	require.NoError(t, module.Start(t.Context(), r))
	return r
}

func stop(t testing.TB, r *Raft) {
	t.Helper()
	// Cleanups run when the test's own context has ended.
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	require.NoError(t, module.Stop(ctx, r))
}
