package record

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAppendBatch(t *testing.T) {
	records := []Pair{{Key: []byte("k"), Value: []byte("v")}, {Key: []byte("gone")}, {Value: []byte{}}}
	buf := AppendBatch([]byte("before"), 1234, records)
	require.Equal(t, "before", string(buf[:6]))
	require.LessOrEqual(t, len(buf)-6, BatchSize(6, len(records)))
	batch, rest, ok := Next(buf[6:])
	require.True(t, ok)
	require.Empty(t, rest)
	require.True(t, batch.CRCValid())
	require.EqualValues(t, 2, batch.Magic())
	require.EqualValues(t, 2, batch.LastOffset())
	require.EqualValues(t, 1234, batch.MaxTimestamp())
	require.EqualValues(t, 1234, batch.BaseTimestamp())
	require.EqualValues(t, []int64{-1, -1, -1, -1}, []int64{batch.ProducerID(), int64(batch.ProducerEpoch()), int64(batch.BaseSequence()), int64(batch.LeaderEpoch())})
	var got []Pair
	require.NoError(t, Walk(batch.Records(), batch.RecordCount(), func(r Record) error {
		require.EqualValues(t, len(got), r.OffsetDelta)
		got = append(got, Pair{Key: r.Key, Value: r.Value})
		return nil
	}))
	require.Equal(t, records, got)
}
