package record_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/record"
	"odradek.dev/sdk/record/recordtest"
)

func sample() record.Batch {
	return recordtest.Batch(recordtest.Spec{Records: []recordtest.Record{
		{Key: []byte("k"), Value: []byte("v"), Timestamp: 1000},
		{Value: []byte{}, Timestamp: 990, Headers: []recordtest.Header{{Key: "a", Value: []byte("1")}, {Key: "", Value: nil}}},
		{Key: []byte{}, Timestamp: 5000},
	}})
}

func TestWalkGivesBackWhatWasBuilt(t *testing.T) {
	batch := sample()
	require.True(t, batch.CRCValid())
	require.EqualValues(t, 5000, batch.MaxTimestamp())
	require.EqualValues(t, -1, batch.ProducerID())
	var got []record.Record
	require.NoError(t, record.Walk(batch.Records(), batch.RecordCount(), func(r record.Record) error {
		got = append(got, r)
		return nil
	}))
	require.Len(t, got, 3)
	require.Equal(t, "k", string(got[0].Key))
	require.Nil(t, got[1].Key)
	require.NotNil(t, got[1].Value)
	require.Empty(t, got[1].Value)
	require.EqualValues(t, -10, got[1].TimestampDelta)
	require.NotNil(t, got[2].Key)
	require.Nil(t, got[2].Value)
	require.EqualValues(t, 2, got[2].OffsetDelta)
	var keys, values []string
	for k, v := range got[1].Headers.All() {
		keys, values = append(keys, string(k)), append(values, string(v))
	}
	require.Equal(t, []string{"a", ""}, keys)
	require.Equal(t, []string{"1", ""}, values)
	require.Equal(t, 2, got[1].Headers.Len())
}

func TestWalkRefusesEveryTruncation(t *testing.T) {
	records := sample().Records()
	ignore := func(record.Record) error { return nil }
	for cut := range records {
		require.ErrorIs(t, record.Walk(records[:cut], 3, ignore), record.ErrMalformed, "cut at %d", cut)
	}
	require.ErrorIs(t, record.Walk(records, 2, ignore), record.ErrMalformed)
	require.ErrorIs(t, record.Walk(records, 4, ignore), record.ErrMalformed)
	require.ErrorIs(t, record.Walk(records, -1, ignore), record.ErrMalformed)
	require.ErrorIs(t, record.Walk(append(records, 0), 3, ignore), record.ErrMalformed)
}

func TestWalkStopsWithTheVisitorsError(t *testing.T) {
	stop := errors.New("stop")
	seen := 0
	err := record.Walk(sample().Records(), 3, func(record.Record) error { seen++; return stop })
	require.Equal(t, stop, err)
	require.Equal(t, 1, seen)
}

func TestWalkAllocatesNothing(t *testing.T) {
	batch := sample()
	var bytes int
	visit := func(r record.Record) error {
		bytes += len(r.Value)
		for _, v := range r.Headers.All() {
			bytes += len(v)
		}
		return nil
	}
	require.Zero(t, testing.AllocsPerRun(100, func() {
		if record.Walk(batch.Records(), batch.RecordCount(), visit) != nil {
			panic("sample does not walk")
		}
	}))
}

func FuzzWalk(f *testing.F) {
	f.Add([]byte(sample().Records()), int32(3))
	f.Add([]byte{}, int32(0))
	f.Add([]byte{12, 0, 0, 0, 1, 1, 0xff, 0xff, 0xff, 0xff, 0x0f}, int32(1))
	f.Fuzz(func(t *testing.T, records []byte, count int32) {
		seen, held := int32(0), 0
		err := record.Walk(records, count, func(r record.Record) error {
			seen++
			held += len(r.Key) + len(r.Value)
			for k, v := range r.Headers.All() {
				held += len(k) + len(v)
			}
			return nil
		})
		if held > len(records) {
			t.Fatalf("%d bytes came out of %d", held, len(records))
		}
		if err == nil && seen != count {
			t.Fatalf("walked %d of %d records without an error", seen, count)
		}
	})
}
