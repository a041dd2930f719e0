package partition

import (
	"errors"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/record"
	"odradek.dev/sdk/record/recordtest"
	"odradek.dev/sdk/storage"
)

func scanned(t *testing.T, p *Partition, from int64) (seen []string, end int64) {
	t.Helper()
	end, err := p.Scan(from, func(_ int64, r record.Record) error {
		seen = append(seen, string(r.Value))
		return nil
	})
	require.NoError(t, err)
	return seen, end
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
	_, err := p.Scan(0, func(int64, record.Record) error { visits++; return enough })
	require.ErrorIs(t, err, enough)
	require.Equal(t, 1, visits)
}

func TestADamagedBatchEndsAScan(t *testing.T) {
	b := newBench(t)
	p := b.open()
	mustAppend(t, p, values("a", "b"))
	mustAppend(t, p, values("c"))
	require.NoError(t, b.engine.Log(id0).Damage(1))
	seen := map[int64]string{}
	_, err := p.Scan(0, func(offset int64, r record.Record) error {
		seen[offset] = string(r.Value)
		return nil
	})
	require.ErrorContains(t, err, "batch 2 to 2 is damaged")
	require.Equal(t, map[int64]string{0: "a", 1: "b"}, seen)
}

// A base offset is not covered by the CRC: what it says is compared with what is
// around the batch.
func TestAMisplacedBatchEndsAScan(t *testing.T) {
	for name, base := range map[string]int64{"too low": 1, "far too low": 0, "too high": 9, "beyond the end": 4} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			p := b.open()
			for _, value := range []string{"a", "b", "c", "d"} {
				mustAppend(t, p, values(value))
			}
			require.NoError(t, b.engine.Log(id0).Misplace(2, base))
			var seen []string
			_, err := p.Scan(0, func(_ int64, r record.Record) error {
				seen = append(seen, string(r.Value))
				return nil
			})
			require.ErrorIs(t, err, storage.ErrCorrupt)
			require.Equal(t, []string{"a", "b"}, seen)
		})
	}
}
