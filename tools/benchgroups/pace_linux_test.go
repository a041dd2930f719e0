package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"odradek.dev/tools/benchgroups/internal/loop"
)

// waits has a member without a connection wait once, while the loop runs what
// happens meanwhile.
func waits(t *testing.T, m *member, told time.Duration, meanwhile func()) (stays bool) {
	var err error
	if m.loop, err = loop.New(); err != nil {
		t.Fatal(err)
	}
	defer m.loop.Close()
	m.census.turned = func() { m.task.Wake() }
	m.task = m.loop.Go(func() { stays, err = m.wait(told) })
	m.loop.Go(meanwhile)
	require.NoError(t, m.loop.Run(t.Context(), m.task.Over))
	require.NoError(t, err)
	return stays
}

// newcomer is the only member of a group that has settled.
func newcomer(p pace) *member {
	m := &member{plan: plan{pace: p}, census: newCensus()}
	m.census.aim(goal{members: 1, partitions: 3})
	m.census.has(0, 1, 3)
	return m
}

// Without timers, a member beats when the group is to change, and not before.
func TestUntimed(t *testing.T) {
	m := newcomer(pace{resting: time.Hour})
	require.False(t, m.census.isDue(0), "the group has settled")
	require.True(t, waits(t, m, 0, func() { m.census.aim(goal{members: 1, partitions: 3, after: 1}) }))
	require.True(t, m.census.isDue(0))
	m.leaving = true
	require.False(t, waits(t, m, 0, func() {}), "it is due, and leaves all the same")
}

// By timers, it beats after the interval of its pace or, where that has none,
// the one of the protocol.
func TestTimed(t *testing.T) {
	for _, p := range []pace{{resting: time.Millisecond, changing: time.Hour}, {changing: time.Hour}} {
		require.True(t, waits(t, newcomer(p), time.Millisecond, func() {}))
	}
	m := newcomer(pace{resting: time.Hour, changing: time.Hour})
	require.False(t, waits(t, m, 0, m.leave))
}
