package main

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

// counted is a census, and how often it turned.
func counted() (*census, *int) {
	c, turns := newCensus(), new(int)
	c.turned = func() { *turns++ }
	return c, turns
}

func TestCensusSettles(t *testing.T) {
	c, turns := counted()
	c.has(0, 1, 5)
	c.aim(goal{members: 2, partitions: 5, after: 1})
	c.has(1, 2, 2)
	require.False(t, c.settled, "one is in an earlier epoch, and a partition is two members'")
	require.True(t, c.isDue(0), "it is behind")
	before := *turns
	require.False(t, c.isDue(1), "it waits for the one that is behind")
	c.has(0, 2, 2)
	require.False(t, c.settled, "a partition is nobody's")
	require.Equal(t, before+1, *turns)
	require.True(t, c.isDue(1), "nobody is behind, and something is missing")
	c.has(1, 2, 3)
	require.True(t, c.settled)
	require.False(t, c.isDue(0))
	require.NoError(t, c.failure)

	before = *turns
	c.aim(goal{members: 1, partitions: 5, after: 2})
	require.Equal(t, before+1, *turns)
	c.gone(1)
	require.True(t, c.isDue(0))
	c.has(0, 3, 5)
	require.True(t, c.settled)
	require.NoError(t, c.failure)
}

// Before a change is heard of, only the scout asks. One who has its share need
// not ask when all have heard, until there is another change.
func TestWhoAsks(t *testing.T) {
	c, turns := counted()
	for n := range 3 {
		c.has(n, 4, 2)
	}
	c.aim(goal{members: 4, partitions: 6, after: 4})
	require.Equal(t, []bool{true, false, false}, []bool{c.isDue(0), c.isDue(1), c.isDue(2)})
	before := *turns
	c.hears(4)
	c.hears(4)
	require.Equal(t, before+1, *turns, "that it is on its way is no news twice")
	require.True(t, c.isDue(0) && c.isDue(1) && c.isDue(2))
	c.has(0, 5, 2)
	require.False(t, c.isDue(0))
	c.has(1, 5, 2)
	c.has(2, 5, 1)
	c.has(3, 5, 0)
	require.False(t, c.isDue(1), "it has one of two shares that are equal")
	require.True(t, c.isDue(3), "it is to have one or two")
	before = *turns
	c.hears(5)
	require.Equal(t, before+1, *turns)
	require.True(t, c.isDue(1), "there is a still later epoch")
	for n := range 4 {
		c.has(n, 6, 1+n%2)
	}
	require.True(t, c.settled)

	c.hears(6) // by a beat that only keeps the session
	c.aim(goal{members: 4, partitions: 6, after: 6})
	require.True(t, c.isDue(1), "somebody has heard already")
}

func TestCensusOfReaders(t *testing.T) {
	c := newCensus()
	c.aim(goal{members: 2, read: true})
	c.has(0, 1, 1)
	c.hasRead(0)
	c.has(1, 1, 1)
	require.False(t, c.settled)
	c.hasRead(1)
	require.True(t, c.settled)
}

func TestCensusOfAFailure(t *testing.T) {
	c, broken := newCensus(), errors.New("broken")
	c.aim(goal{members: 1, partitions: 1})
	c.failed(broken)
	require.True(t, c.settled)
	require.ErrorIs(t, c.failure, broken)
	c.aim(goal{members: 1, partitions: 2})
	require.True(t, c.settled)
	require.ErrorIs(t, c.failure, broken)
}
