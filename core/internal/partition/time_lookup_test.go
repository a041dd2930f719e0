package partition

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/record/recordtest"
	"odradek.dev/sdk/storage"
)

func foundAt(t *testing.T, p *Partition, ms int64) Found {
	t.Helper()
	found, ok, err := p.OffsetAt(ms)
	require.NoError(t, err)
	require.True(t, ok, "at %d", ms)
	return found
}

func requireNoneAt(t *testing.T, p *Partition, ms int64) {
	t.Helper()
	_, ok, err := p.OffsetAt(ms)
	require.NoError(t, err)
	require.False(t, ok)
}

func foundMax(t *testing.T, p *Partition) Found {
	t.Helper()
	found, ok, err := p.OffsetOfMax()
	require.NoError(t, err)
	require.True(t, ok)
	return found
}

func TestLookupByTime(t *testing.T) {
	w := newBench(t)
	w.topic.TimestampAfterMaxMs = 1 << 60
	p := w.open()
	mustAppend(t, p, recordtest.Batch(recordtest.Spec{Records: recordtest.Numbered(10, 1000)}))
	mustAppend(t, p, recordtest.Batch(recordtest.Spec{Records: recordtest.Numbered(10, 2000), Codec: 4, Compress: reversed}))
	for ms, want := range map[int64]int64{0: 0, 1000: 0, 1005: 5, 1010: 10, 2003: 13, 2009: 19} {
		found := foundAt(t, p, ms)
		require.Equal(t, want, found.Offset, "at %d", ms)
		require.Equal(t, int32(3), found.Epoch)
	}
	requireNoneAt(t, p, 2010)
	require.Equal(t, Found{Offset: 19, TimestampMs: 2009, Epoch: 3}, foundMax(t, p))
}

// A batch whose checksum is wrong says nothing of the times of its records.
func TestLookupInADamagedBatch(t *testing.T) {
	w := newBench(t)
	p := w.open()
	for _, at := range []int64{1000, 2000, 3000} {
		mustAppend(t, p, recordtest.Batch(recordtest.Spec{Records: recordtest.Numbered(10, at)}))
	}
	require.NoError(t, w.engine.Log(id0).Damage(1))
	_, _, err := p.OffsetAt(2003)
	require.ErrorIs(t, err, storage.ErrCorrupt)
	require.ErrorContains(t, err, "offset 10")
	for ms, want := range map[int64]int64{1003: 3, 3003: 23} {
		found := foundAt(t, p, ms)
		require.Equal(t, want, found.Offset)
	}
}

// O1: a lookup finds a record, not the batch that it is in.
func TestLookupWithinABatch(t *testing.T) {
	for name, spec := range map[string]recordtest.Spec{"plain": {}, "compressed": {Codec: 4, Compress: reversed}} {
		t.Run(name, func(t *testing.T) {
			p := newBench(t).open()
			for _, ms := range []int64{2, 4, 6, 8} {
				spec.Records = append(spec.Records, recordtest.Values(ms, "v")...)
			}
			mustAppend(t, p, recordtest.Batch(spec))
			for i, want := range []Found{{0, 2, 3}, {0, 2, 3}, {1, 4, 3}, {1, 4, 3}, {2, 6, 3}, {2, 6, 3}, {3, 8, 3}, {3, 8, 3}} {
				found := foundAt(t, p, int64(i+1))
				require.Equal(t, want, found, "at %d", i+1)
			}
			requireNoneAt(t, p, 9)
			require.Equal(t, Found{Offset: 3, TimestampMs: 8, Epoch: 3}, foundMax(t, p))
		})
	}
}

// O1: what is above the high watermark is not found.
func TestLookupIsCappedByTheHighWatermark(t *testing.T) {
	w := newBench(t)
	w.strategy.AckDurable = true
	p := w.open()
	acks := make(answers, 2)
	p.Append(recordtest.Batch(recordtest.Spec{Records: recordtest.Numbered(10, 1000)}), -1, acks, 0)
	acks.next(t)
	gate := make(chan struct{})
	release := sync.OnceFunc(func() { close(gate) })
	t.Cleanup(release)
	w.engine.Log(id0).Gate = gate
	p.Append(recordtest.Batch(recordtest.Spec{Records: recordtest.Numbered(10, 2000)}), -1, acks, 0)
	require.EqualValues(t, 10, p.HighWatermark())
	require.EqualValues(t, 20, p.LogEndOffset())

	requireNoneAt(t, p, 1010)
	require.Equal(t, Found{Offset: 9, TimestampMs: 1009, Epoch: 3}, foundMax(t, p))

	release()
	acks.next(t)
	found := foundAt(t, p, 1010)
	require.Equal(t, Found{Offset: 10, TimestampMs: 2000, Epoch: 3}, found)
	require.Equal(t, Found{Offset: 19, TimestampMs: 2009, Epoch: 3}, foundMax(t, p))
}
