package groups

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestJudge(t *testing.T) {
	l := newLedger()
	ends := map[int32]int64{0: 2, 1: 1}
	l.consumed("a", 0, 0)
	l.consumed("a", 0, 1)
	require.ErrorContains(t, l.judge(ends, 1), "offset 0 of partition 1 was consumed 0 times")
	_, changed, _ := l.distinct()
	l.consumed("b", 1, 0)
	<-changed
	require.NoError(t, l.judge(ends, 2))
	require.ErrorContains(t, l.judge(ends, 3), "want 3 members")
	require.ErrorContains(t, l.judge(map[int32]int64{0: 2}, 2), "3 records were consumed of 2")
	l.consumed("b", 1, 0)
	require.ErrorContains(t, l.judge(ends, 2), "offset 0 of partition 1 was consumed 2 times")
}

func TestJudgeRepeated(t *testing.T) {
	l := newLedger()
	for range 2 {
		l.consumed("a", 0, 0)
	}
	require.NoError(t, l.judgeRepeated(map[int32]int64{0: 1}, 1, 2))
	require.ErrorContains(t, l.judgeRepeated(map[int32]int64{0: 1}, 1, 1), "offset 0 of partition 0 was consumed 2 times")
	require.ErrorContains(t, l.judgeRepeated(map[int32]int64{0: 2}, 1, 2), "offset 1 of partition 0 was consumed 0 times")
}

func TestConsumedAfterCommit(t *testing.T) {
	l := newLedger()
	l.consumed("a", 0, 0)
	l.settled(map[int32]int64{0: 1})
	l.consumed("a", 0, 1)
	require.NoError(t, l.fault())
	l.consumed("b", 0, 0)
	require.ErrorContains(t, l.fault(), "b: offset 0 of partition 0 was consumed when the group had committed 1")
}

func TestJudgeTellsFaults(t *testing.T) {
	l := newLedger()
	l.consumed("a", 0, 0)
	l.failed("a", errors.New("fenced"))
	require.ErrorContains(t, l.judge(map[int32]int64{0: 1}, 1), "a: fenced")
}
