package partition

import (
	"errors"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/codec"
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/record"
	"odradek.dev/sdk/record/recordtest"
	"odradek.dev/sdk/storage"
)

func scanned(t *testing.T, p *Partition, from int64) (seen []string, end int64) {
	t.Helper()
	end, err := p.Scan(from, func(_ int64, r record.Record) error {
		seen = append(seen, string(r.Value))
		return nil
	}, func(d Damage) error { return d.Err })
	require.NoError(t, err)
	return seen, end
}

// intact scans what has damage: what is intact, and what is not.
func intact(t *testing.T, p *Partition) (seen []string, lost []Damage) {
	t.Helper()
	end, err := p.Scan(0, func(_ int64, r record.Record) error {
		seen = append(seen, string(r.Value))
		return nil
	}, func(d Damage) error {
		lost = append(lost, d)
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, p.HighWatermark(), end)
	return seen, lost
}

func TestScanVisitsEachRecord(t *testing.T) {
	p := newBench(t).open()
	seen, end := scanned(t, p, 0)
	require.Empty(t, seen)
	require.Zero(t, end)
	mustAppend(t, p, values("a", "b"))
	packed := recordtest.Batch(recordtest.Spec{Records: recordtest.Values(nowMs, "c", "d"), Codec: 4, Compress: reversed})
	mustAppend(t, p, packed)
	seen, end = scanned(t, p, 0)
	require.Equal(t, []string{"a", "b", "c", "d"}, seen)
	require.EqualValues(t, 4, end)
	seen, _ = scanned(t, p, 3)
	require.Equal(t, []string{"d"}, seen)
}

func TestScanGoesOnFromReadToRead(t *testing.T) {
	p := newBench(t).open()
	long := string(make([]byte, scanBytes/3))
	var want []string
	for i := range 10 {
		want = append(want, strconv.Itoa(i)+long)
		mustAppend(t, p, values(want[i]))
	}
	seen, end := scanned(t, p, 0)
	require.True(t, len(seen) == 10 && end == 10)
	require.Equal(t, want, seen)
}

func TestAnErrorEndsAScan(t *testing.T) {
	p := newBench(t).open()
	mustAppend(t, p, values("a", "b"))
	enough := errors.New("enough")
	visits := 0
	_, err := p.Scan(0, func(int64, record.Record) error { visits++; return enough }, nil)
	require.ErrorIs(t, err, enough)
	require.Equal(t, 1, visits)
}

func TestAScanGoesOnBehindADamagedBatch(t *testing.T) {
	b := newBench(t)
	p := b.open()
	mustAppend(t, p, values("a", "b"))
	mustAppend(t, p, values("c", "d"))
	mustAppend(t, p, values("e"))
	require.NoError(t, b.engine.Log(id0).Damage(1))
	seen, lost := intact(t, p)
	require.Equal(t, []string{"a", "b", "e"}, seen)
	require.Len(t, lost, 1)
	require.Equal(t, []int64{2, 3}, []int64{lost[0].First, lost[0].Last})
	require.ErrorContains(t, lost[0].Err, "batch 2 to 3 is damaged")
	require.ErrorContains(t, lost[0].Err, ", at position ")
}

func TestAnErrorAboutDamageEndsAScan(t *testing.T) {
	b := newBench(t)
	p := b.open()
	mustAppend(t, p, values("a"))
	mustAppend(t, p, values("b"))
	mustAppend(t, p, values("c"))
	require.NoError(t, b.engine.Log(id0).Damage(1))
	var seen []string
	_, err := p.Scan(0, func(_ int64, r record.Record) error {
		seen = append(seen, string(r.Value))
		return nil
	}, func(d Damage) error { return d.Err })
	require.ErrorContains(t, err, "batch 1 to 1 is damaged")
	require.Equal(t, []string{"a"}, seen)
}

// What is damaged may be more than one read, and the end of the log.
func TestAScanGoesOnBehindManyDamagedBatches(t *testing.T) {
	b := newBench(t)
	p := b.open()
	long := string(make([]byte, scanBytes/3))
	for i := range 12 {
		mustAppend(t, p, values(strconv.Itoa(i)+long))
	}
	for _, damaged := range []int{1, 2, 3, 4, 5, 6, 7, 9, 11} {
		require.NoError(t, b.engine.Log(id0).Damage(damaged))
	}
	seen, lost := intact(t, p)
	require.Len(t, seen, 3)
	for i, want := range []string{"0", "8", "10"} {
		require.Equal(t, want+long, seen[i])
	}
	require.Len(t, lost, 3)
	for i, want := range []Damage{{First: 1, Last: 7}, {First: 9, Last: 9}, {First: 11, Last: 11}} {
		require.Equal(t, want, Damage{First: lost[i].First, Last: lost[i].Last})
	}
}

// The records before the one that cannot be read are visited: what the CRC covers
// is as it was written.
func TestAScanGoesOnBehindRecordsThatCannotBeRead(t *testing.T) {
	b := newBench(t)
	p := b.open()
	mustAppend(t, p, values("a"))
	mustAppend(t, p, recordtest.Batch(recordtest.Spec{Records: recordtest.Values(nowMs, "b", "c"), Codec: 4, Compress: reversed}))
	mustAppend(t, p, values("d"))
	open := p.host.Decompress
	p.host.Decompress = func(int8, []byte, []byte, int) ([]byte, error) { return nil, codec.ErrNone }
	seen, lost := intact(t, p)
	require.Equal(t, []string{"a", "d"}, seen)
	require.Len(t, lost, 1)
	require.Equal(t, []int64{1, 2}, []int64{lost[0].First, lost[0].Last})
	require.ErrorIs(t, lost[0].Err, codec.ErrNone)

	p.host.Decompress = func(attributes int8, dst, src []byte, budget int) ([]byte, error) {
		records, err := open(attributes, dst, src, budget)
		return records[:len(records)-1], err
	}
	seen, lost = intact(t, p)
	require.Equal(t, []string{"a", "b", "d"}, seen)
	require.Len(t, lost, 1)
	require.ErrorIs(t, lost[0].Err, record.ErrMalformed)

	// Who is asked again may be there then.
	away := module.Retriablef("the codec is away")
	p.host.Decompress = func(int8, []byte, []byte, int) ([]byte, error) { return nil, away }
	_, err := p.Scan(0, func(int64, record.Record) error { return nil }, func(Damage) error { return nil })
	require.ErrorIs(t, err, away)
}

// A base offset is not covered by the CRC: what it says is compared with what is
// around the batch.
func TestAMisplacedBatchIsDamaged(t *testing.T) {
	for name, base := range map[string]int64{"too low": 1, "far too low": 0, "too high": 9, "beyond the end": 4} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			p := b.open()
			for _, value := range []string{"a", "b", "c", "d"} {
				mustAppend(t, p, values(value))
			}
			require.NoError(t, b.engine.Log(id0).Misplace(2, base))
			seen, lost := intact(t, p)
			require.Equal(t, []string{"a", "b", "d"}, seen)
			require.Len(t, lost, 1)
			require.Equal(t, []int64{2, 2}, []int64{lost[0].First, lost[0].Last})
			require.ErrorIs(t, lost[0].Err, storage.ErrCorrupt)
		})
	}
}
