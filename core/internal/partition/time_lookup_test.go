package partition

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/record/recordtest"
	"odradek.dev/sdk/storage"
)

func TestLookupByTime(t *testing.T) {
	w := newBench(t)
	w.topic.TimestampAfterMaxMs = 1 << 60
	p := w.open()
	mustAppend(t, p, recordtest.Batch(recordtest.Spec{Records: recordtest.Numbered(10, 1000)}))
	mustAppend(t, p, recordtest.Batch(recordtest.Spec{Records: recordtest.Numbered(10, 2000), Codec: 4, Compress: reversed}))
	for ms, want := range map[int64]int64{0: 0, 1000: 0, 1005: 5, 1010: 10, 2003: 13, 2009: 19} {
		found, ok, err := p.OffsetAt(ms)
		require.NoError(t, err)
		require.True(t, ok)
		require.Equal(t, want, found.Offset, "at %d", ms)
		require.Equal(t, int32(3), found.Epoch)
	}
	_, ok, err := p.OffsetAt(2010)
	require.NoError(t, err)
	require.False(t, ok)
	found, ok, err := p.OffsetOfMax()
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, Found{Offset: 19, TimestampMs: 2009, Epoch: 3}, found)
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
		found, ok, err := p.OffsetAt(ms)
		require.NoError(t, err)
		require.True(t, ok)
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
				found, ok, err := p.OffsetAt(int64(i + 1))
				require.NoError(t, err)
				require.True(t, ok, "at %d", i+1)
				require.Equal(t, want, found, "at %d", i+1)
			}
			_, ok, err := p.OffsetAt(9)
			require.NoError(t, err)
			require.False(t, ok)
			found, ok, err := p.OffsetOfMax()
			require.NoError(t, err)
			require.True(t, ok)
			require.Equal(t, Found{Offset: 3, TimestampMs: 8, Epoch: 3}, found)
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

	_, ok, err := p.OffsetAt(1010)
	require.NoError(t, err)
	require.False(t, ok)
	found, ok, err := p.OffsetOfMax()
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, Found{Offset: 9, TimestampMs: 1009, Epoch: 3}, found)

	release()
	acks.next(t)
	found, ok, err = p.OffsetAt(1010)
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, Found{Offset: 10, TimestampMs: 2000, Epoch: 3}, found)
	found, ok, err = p.OffsetOfMax()
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, Found{Offset: 19, TimestampMs: 2009, Epoch: 3}, found)
}
