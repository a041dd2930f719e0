package partition

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/record"
	"odradek.dev/sdk/record/recordtest"
	"odradek.dev/sdk/storage"
)

// misplacements are base offsets that the batch at offset 6, of two records in a
// log of such batches, cannot have. The last is beyond the log.
var misplacements = []int64{0, 4, 5, 7, 9, 14, 1 << 40}

// TestAMisplacedBatchIsNotCompacted turns over a base offset, which no CRC covers:
// the records would be taken for those of other offsets for good.
func TestAMisplacedBatchIsNotCompacted(t *testing.T) {
	for _, base := range misplacements {
		w := compacting(newBench(t))
		p := w.open()
		for range 20 {
			mustAppend(t, p, recordtest.Batch(recordtest.Spec{Records: []recordtest.Record{keyed("a", "v"), keyed("b", "v")}}))
		}
		require.NoError(t, w.engine.Log(id0).Misplace(3, base))
		before := w.read(p, 0)
		require.EqualValues(t, math.MaxInt64, p.compact(t.Context()))
		require.Equal(t, before, w.read(p, 0), "base offset %d", base)
		require.Zero(t, w.engine.Log(id0).Rewritten)
		require.NoError(t, p.Failure(), "the rest is served")
	}
}

func TestALookupIsNotMisledByAMisplacedBatch(t *testing.T) {
	for _, base := range misplacements {
		w := newBench(t)
		p := w.open()
		for i := range 10 {
			mustAppend(t, p, recordtest.Batch(recordtest.Spec{Records: recordtest.Numbered(2, nowMs+int64(i)*10)}))
		}
		require.NoError(t, w.engine.Log(id0).Misplace(3, base))
		for offset := int64(8); offset < 20; offset += 2 {
			// From the beginning, so that the lookup passes what is misplaced.
			found, ok, err := p.scan(0, p.HighWatermark(), nowMs+offset*5)
			if err == nil {
				require.True(t, ok)
				require.Equal(t, offset, found.Offset, "base offset %d", base)
				continue
			}
			require.ErrorIs(t, err, storage.ErrCorrupt)
		}
	}
}

// TestProducersAreNotMadeOfAMisplacedBatch has duplicates of what is intact before
// it still told.
func TestProducersAreNotMadeOfAMisplacedBatch(t *testing.T) {
	for _, base := range misplacements {
		w := newBench(t)
		p := w.open()
		var sent []record.Batch
		for i := range 10 {
			b := sequencedBatch(int64(i+1), 0, 0, 2)
			sent = append(sent, append(record.Batch(nil), b...))
			mustAppend(t, p, b)
		}
		require.NoError(t, w.engine.Log(id0).Misplace(3, base))
		require.NoError(t, p.close(context.Background(), errGone))
		w.engine.Log(id0).DropStates()
		p = w.open()
		require.NotContains(t, p.producers.byID, int64(4), "base offset %d", base)
		for i, b := range sent[:3] {
			require.EqualValues(t, 2*i, mustAppend(t, p, b).BaseOffset, "base offset %d, batch %d", base, i)
		}
	}
}
