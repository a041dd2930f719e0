package partition

import (
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/record/recordtest"
)

func TestBatchTime(t *testing.T) {
	p := newBench(t).open()
	batch := func(first, second int64) []byte {
		return recordtest.Batch(recordtest.Spec{Records: append(recordtest.Values(first, "a"), recordtest.Values(second, "b")...)})
	}
	mustAppend(t, p, batch(nowMs-100, nowMs-90))
	mustAppend(t, p, batch(nowMs-50, nowMs-40))
	for offset, want := range []int64{nowMs - 100, nowMs - 100, nowMs - 50, nowMs - 50} {
		ms, ok, err := p.BatchTime(int64(offset))
		require.NoError(t, err)
		require.True(t, ok)
		require.Equal(t, want, ms, "offset %d", offset)
	}
	_, ok, err := p.BatchTime(4)
	require.NoError(t, err)
	require.False(t, ok, "there is nothing yet")

	_, refused := p.DeleteRecords(2)
	require.Nil(t, refused)
	ms, ok, err := p.BatchTime(0)
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, int64(nowMs-50), ms, "what was deleted is passed over")
}
