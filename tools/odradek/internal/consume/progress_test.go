package consume

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestProgressWithoutALimitNeverEnds(t *testing.T) {
	p := newProgress(map[int32]span{0: {0, 1}}, false, 0)
	for offset := range int64(100) {
		require.True(t, p.take(0, offset, false))
	}
	require.False(t, p.done())
}

func TestProgressEndsWhereThePartitionsEnded(t *testing.T) {
	p := newProgress(map[int32]span{0: {0, 2}, 1: {7, 7}, 2: {5, 6}}, true, 0)
	require.True(t, p.take(0, 0, false))
	require.False(t, p.take(1, 7, false), "written after the command began")
	require.True(t, p.take(2, 5, false))
	require.False(t, p.take(2, 6, false))
	require.False(t, p.done())
	require.True(t, p.take(0, 1, false))
	require.True(t, p.done())
}

func TestProgressPassesOverGapsAndControlRecords(t *testing.T) {
	p := newProgress(map[int32]span{0: {0, 5}, 1: {0, 5}}, true, 0)
	require.False(t, p.take(0, 4, true), "a commit marker at the end")
	require.False(t, p.take(1, 9, false), "what stood at offset 4 was compacted away")
	require.True(t, p.done())
}

func TestProgressEndsByCount(t *testing.T) {
	p := newProgress(map[int32]span{0: {0, 9}}, true, 2)
	require.True(t, p.take(0, 0, false))
	require.False(t, p.take(0, 1, true), "a control record does not count")
	require.True(t, p.take(0, 2, false))
	require.True(t, p.done())
	require.False(t, p.take(0, 3, false))
}

func TestProgressOfAGroup(t *testing.T) {
	p := newProgress(map[int32]span{0: {0, 2}, 1: {0, 5}, 2: {5, 5}}, true, 0)
	require.True(t, p.takeAny(0, 0, false))
	require.True(t, p.takeAny(2, 5, false), "the group would pass over it")
	require.True(t, p.takeAny(0, 1, false))
	require.False(t, p.done())
	p.passed(map[int32]int64{1: 4})
	require.False(t, p.done())
	p.passed(map[int32]int64{0: 2, 1: 5})
	require.True(t, p.done())

	p = newProgress(map[int32]span{0: {0, 9}}, false, 2)
	require.True(t, p.takeAny(0, 0, false))
	require.False(t, p.takeAny(0, 1, true))
	require.True(t, p.takeAny(0, 2, false))
	require.True(t, p.done())
}

func TestProgressOfNothingIsDone(t *testing.T) {
	require.True(t, newProgress(map[int32]span{0: {3, 3}}, true, 0).done())
	require.False(t, newProgress(map[int32]span{0: {3, 3}}, false, 0).done())
}
