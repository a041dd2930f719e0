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

func TestJudgeTellsFaults(t *testing.T) {
	l := newLedger()
	l.consumed("a", 0, 0)
	l.failed("a", errors.New("fenced"))
	require.ErrorContains(t, l.judge(map[int32]int64{0: 1}, 1), "a: fenced")
}
