package record_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/record"
)

func recordsOf(t *testing.T, b record.Batch) []record.Record {
	t.Helper()
	var all []record.Record
	require.NoError(t, record.Walk(b.Records(), b.RecordCount(), func(r record.Record) error {
		all = append(all, r)
		return nil
	}))
	return all
}

func TestRecordsAreEncodedAsTheyWere(t *testing.T) {
	batch := sample()
	var again []byte
	for _, r := range recordsOf(t, batch) {
		again = record.AppendRecord(again, r)
	}
	require.Equal(t, batch.Records(), again)
	extreme := record.Record{TimestampDelta: math.MinInt64, OffsetDelta: math.MaxInt32, Key: make([]byte, 200)}
	encoded := record.AppendRecord(nil, extreme)
	require.NoError(t, record.Walk(encoded, 1, func(r record.Record) error {
		require.Equal(t, encoded, record.AppendRecord(nil, r))
		require.Equal(t, extreme.TimestampDelta, r.TimestampDelta)
		require.Equal(t, extreme.Key, r.Key)
		return nil
	}))
}

func TestARebuiltBatchKeepsItsPlace(t *testing.T) {
	batch := sample()
	batch.SetBaseOffset(40)
	batch.SetLeaderEpoch(7)
	last := recordsOf(t, batch)[2]
	last.TimestampDelta -= 100
	made := record.Batch(batch.AppendRebuilt([]byte("before"), record.Contents{
		Records: record.AppendRecord(nil, last), Count: 1, BaseTimestamp: 1100, MaxTimestamp: 5000, DeleteHorizon: true,
	})[6:])
	require.True(t, made.CRCValid())
	require.Equal(t, len(made), made.Size())
	require.EqualValues(t, 40, made.BaseOffset())
	require.EqualValues(t, 42, made.LastOffset())
	require.EqualValues(t, 7, made.LeaderEpoch())
	require.True(t, made.HasDeleteHorizon())
	require.EqualValues(t, 1100, made.BaseTimestamp())
	require.Equal(t, []record.Record{last}, recordsOf(t, made))

	empty := record.Batch(made.AppendRebuilt(nil, record.Contents{BaseTimestamp: -1, MaxTimestamp: -1}))
	require.True(t, empty.CRCValid())
	require.Len(t, empty, record.HeaderSize)
	require.False(t, empty.HasDeleteHorizon())
	require.EqualValues(t, 42, empty.LastOffset())
	require.Empty(t, recordsOf(t, empty))
}
