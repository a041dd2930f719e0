package main

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// newcomer is a member with neither connection nor goroutine.
func newcomer(t *testing.T, p pace) *member {
	m := &member{plan: plan{pace: p}, census: newCensus()}
	m.leaving, m.leave = context.WithCancel(t.Context())
	t.Cleanup(m.leave)
	return m
}

// Without timers, a member beats when the group is to change, and not before.
func TestUntimed(t *testing.T) {
	m := newcomer(t, pace{resting: time.Hour})
	m.census.aim(goal{members: 1, partitions: 3})
	m.census.has(0, 1, 3)
	require.False(t, isDue(m.census, 0), "the group has settled")
	beats := make(chan bool)
	go func() {
		stays, err := m.wait(t.Context(), 0)
		beats <- stays && err == nil
	}()
	m.census.aim(goal{members: 1, partitions: 3, after: 1})
	require.True(t, <-beats)
	m.leave()
	stays, err := m.wait(t.Context(), 0)
	require.NoError(t, err)
	require.False(t, stays, "it is due, and leaves all the same")
}

// By timers, it beats after the interval of its pace or, where that has none,
// the one of the protocol.
func TestTimed(t *testing.T) {
	for _, p := range []pace{{resting: time.Millisecond, changing: time.Hour}, {changing: time.Hour}} {
		m := newcomer(t, p)
		m.census.aim(goal{members: 1, partitions: 3})
		m.census.has(0, 1, 3)
		stays, err := m.wait(t.Context(), time.Millisecond)
		require.NoError(t, err)
		require.True(t, stays)
	}
	m := newcomer(t, pace{changing: time.Hour})
	ctx, cancel := context.WithCancel(t.Context())
	m.leaving, m.leave = context.WithCancel(ctx)
	cancel()
	_, err := m.wait(ctx, time.Hour)
	require.ErrorIs(t, err, context.Canceled)
}
