package main

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

func isSettled(c *census) bool {
	_, settled, _ := c.next(0)
	return settled
}

func isDue(c *census, member int) bool {
	due, _, _ := c.next(member)
	return due
}

func TestCensusSettles(t *testing.T) {
	c := newCensus()
	c.has(0, 1, 5)
	c.aim(goal{members: 2, partitions: 5, after: 1})
	c.has(1, 2, 2)
	require.False(t, isSettled(c), "one is in an earlier epoch, and a partition is two members'")
	require.True(t, isDue(c, 0), "it is behind")
	_, _, turn := c.next(1)
	require.False(t, isDue(c, 1), "it waits for the one that is behind")
	c.has(0, 2, 2)
	require.False(t, isSettled(c), "a partition is nobody's")
	<-turn
	require.True(t, isDue(c, 1), "nobody is behind, and something is missing")
	c.has(1, 2, 3)
	require.True(t, isSettled(c))
	require.False(t, isDue(c, 0))
	require.NoError(t, c.await(context.Background()))

	_, _, turn = c.next(0)
	c.aim(goal{members: 1, partitions: 5, after: 2})
	<-turn
	c.gone(1)
	require.True(t, isDue(c, 0))
	c.has(0, 3, 5)
	require.NoError(t, c.await(context.Background()))
}

// Before a change is heard of, only the scout asks. One who has its share need
// not ask when all have heard, until there is another change.
func TestWhoAsks(t *testing.T) {
	c := newCensus()
	for n := range 3 {
		c.has(n, 4, 2)
	}
	c.aim(goal{members: 4, partitions: 6, after: 4})
	require.Equal(t, []bool{true, false, false}, []bool{isDue(c, 0), isDue(c, 1), isDue(c, 2)})
	_, _, turn := c.next(1)
	c.hears(4)
	<-turn
	require.True(t, isDue(c, 0) && isDue(c, 1) && isDue(c, 2))
	c.has(0, 5, 2)
	require.False(t, isDue(c, 0))
	c.has(1, 5, 2)
	c.has(2, 5, 1)
	c.has(3, 5, 0)
	require.False(t, isDue(c, 1), "it has one of two shares that are equal")
	require.True(t, isDue(c, 3), "it is to have one or two")
	c.hears(5)
	require.True(t, isDue(c, 1), "there is a still later epoch")
	for n := range 4 {
		c.has(n, 6, 1+n%2)
	}
	require.True(t, isSettled(c))

	c.hears(6) // by a beat that only keeps the session
	c.aim(goal{members: 4, partitions: 6, after: 6})
	require.True(t, isDue(c, 1), "somebody has heard already")
}

func TestCensusOfReaders(t *testing.T) {
	c := newCensus()
	c.aim(goal{members: 2, read: true})
	c.has(0, 1, 1)
	c.hasRead(0)
	c.has(1, 1, 1)
	require.False(t, isSettled(c))
	c.hasRead(1)
	require.True(t, isSettled(c))
}

func TestCensusOfAFailure(t *testing.T) {
	c, broken := newCensus(), errors.New("broken")
	c.aim(goal{members: 1, partitions: 1})
	c.failed(broken)
	require.ErrorIs(t, c.await(context.Background()), broken)
	c.aim(goal{members: 1, partitions: 2})
	require.ErrorIs(t, c.await(context.Background()), broken)
}
