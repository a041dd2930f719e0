package partition

import (
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/core/internal/config"
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/storage"
)

// keep has the topic keep records for a minute, in segments of two appends.
func keep(w *bench) *bench {
	w.engine.SegmentBatches = 2
	w.topic.RetentionMs = time.Minute.Milliseconds()
	return w
}

func appendEach(t *testing.T, p *Partition, count int) {
	t.Helper()
	for range count {
		mustAppend(t, p, values("a", "b"))
	}
}

func TestOldSegmentsGo(t *testing.T) {
	w := keep(newBench(t))
	w.topic.RetentionBytes = 3 * int64(len(values("a", "b")))
	p := w.open()
	appendEach(t, p, 5)
	p.retain()
	require.EqualValues(t, 4, p.LogStartOffset(), "two segments of two and one of one are too many bytes by a segment")
	require.Equal(t, []int64{4}, w.strategy.Trims)
	require.Equal(t, kerr.OffsetOutOfRange, p.Read(3, AnyEpoch, 100).Refusal.Kind)
	require.NotEmpty(t, w.read(p, 4))

	w.clock.Advance(time.Minute)
	p.retain()
	require.EqualValues(t, 4, p.LogStartOffset(), "a minute is not more than a minute")
	w.clock.Advance(time.Millisecond)
	p.retain()
	require.EqualValues(t, 10, p.LogStartOffset(), "the active segment goes too")
	require.EqualValues(t, 10, p.HighWatermark())
	require.EqualValues(t, 10, mustAppend(t, p, values("c")).BaseOffset)
	require.EqualValues(t, 10, mustAppend(t, p, values("c")).LogStartOffset)
}

func TestManySegmentsGoSomeAtATime(t *testing.T) {
	w := keep(newBench(t))
	p := w.open()
	appendEach(t, p, 2*(2*trimAtOnce+3))
	w.clock.Advance(time.Hour)
	p.retain()
	require.Equal(t, []int64{4 * trimAtOnce, 8 * trimAtOnce, p.LogEndOffset()}, w.strategy.Trims)
}

func TestNothingGoesAboveTheHighWatermark(t *testing.T) {
	w := keep(newBench(t))
	w.strategy.AckDurable = true
	p := w.open()
	gate := make(chan struct{})
	w.engine.Log(id0).Gate = gate
	acks := make(answers, 3)
	for range 3 {
		p.Append(values("a", "b"), -1, acks, 0)
	}
	w.clock.Advance(time.Hour)
	p.retain()
	require.Zero(t, p.LogStartOffset())
	close(gate)
	for range 3 {
		acks.next(t)
	}
	p.retain()
	require.EqualValues(t, 6, p.LogStartOffset())
}

func TestIdlePartitionsAreNotLookedAt(t *testing.T) {
	w := keep(newBench(t))
	p := w.open()
	log := w.engine.Log(id0)
	appendEach(t, p, 3)
	p.retain()
	first := log.Listed
	for range 5 {
		p.retain()
	}
	require.Equal(t, first, log.Listed)
	mustAppend(t, p, values("a"))
	p.retain()
	require.Equal(t, first+1, log.Listed, "an append may be too much")
	w.topic.RetentionMs = 10
	require.NoError(t, p.change(w.host.settingsOf(w.host.Config, w.topic), leading(3)))
	w.clock.Advance(11 * time.Millisecond)
	p.retain()
	require.EqualValues(t, 7, p.LogStartOffset(), "a changed configuration acts at the next look")
}

func TestProducersOutliveTheirRecords(t *testing.T) {
	for name, remove := range map[string]func(*bench, *Partition){
		"retention": func(w *bench, p *Partition) {
			w.clock.Advance(2 * time.Minute)
			p.retain()
		},
		"deletion": func(_ *bench, p *Partition) {
			_, refused := p.DeleteRecords(ToHighWatermark)
			require.Nil(t, refused)
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := keep(newBench(t))
			p := w.open()
			for i := range int32(3) {
				mustAppend(t, p, sequencedBatch(7, 0, 2*i, 2))
			}
			remove(w, p)
			require.EqualValues(t, 6, p.LogStartOffset())
			// As after a kill: nothing is kept at a stop.
			require.NoError(t, p.close(t.Context(), errGone))
			p = w.open()
			require.EqualValues(t, 6, p.LogStartOffset())
			require.EqualValues(t, 6, p.HighWatermark())
			require.EqualValues(t, 4, mustAppend(t, p, sequencedBatch(7, 0, 4, 2)).BaseOffset, "a duplicate is known")
			_, decided := p.Append(sequencedBatch(7, 0, 8, 2), -1, nil, 0)
			require.True(t, decided)
			require.EqualValues(t, 6, mustAppend(t, p, sequencedBatch(7, 0, 6, 2)).BaseOffset, "the gap before was refused")
		})
	}
}

func TestFilesOfRemovedSegmentsAreLetGo(t *testing.T) {
	w := keep(newBench(t))
	p := w.open()
	appendEach(t, p, 3)
	w.read(p, 0)
	require.Equal(t, 1, w.host.files.open.Len())
	w.clock.Advance(time.Hour)
	p.retain()
	require.Zero(t, w.host.files.open.Len())
}

func TestAWaiterBelowTheStartIsWoken(t *testing.T) {
	w := newBench(t)
	p := w.open()
	appendEach(t, p, 2)
	_, watch, woken := park(p, 1<<20, 1<<20)
	_, refused := p.DeleteRecords(3)
	require.Nil(t, refused)
	require.EqualValues(t, 1, woken.count.Load())
	p.Unwatch(watch)
}

func TestATrimThatFails(t *testing.T) {
	w := keep(newBench(t))
	p := w.open()
	appendEach(t, p, 3)
	w.clock.Advance(time.Hour)
	err := storage.ErrFull
	w.engine.FailTrim = func() error { return err }
	p.retain()
	require.Zero(t, p.LogStartOffset())
	_, refused := p.DeleteRecords(2)
	require.Equal(t, kerr.KafkaStorageError, refused.Kind)
	require.NoError(t, p.Failure(), "another try may succeed")

	w.engine.FailTrim = nil
	p.retain()
	require.EqualValues(t, 6, p.LogStartOffset())

	appendEach(t, p, 3)
	w.clock.Advance(time.Hour)
	w.engine.FailTrim = func() error { return module.Fatalf("the disk is gone") }
	p.retain()
	require.ErrorContains(t, p.Failure(), "the disk is gone")
	p.retain()
}

func TestDeleteRecords(t *testing.T) {
	w := newBench(t)
	p := w.open()
	appendEach(t, p, 3)
	low, refused := p.DeleteRecords(3)
	require.Nil(t, refused)
	require.EqualValues(t, 3, low)
	require.EqualValues(t, 3, p.LogStartOffset(), "a start may be within a batch")
	require.Equal(t, kerr.OffsetOutOfRange, p.Read(2, AnyEpoch, 100).Refusal.Kind)
	require.Len(t, w.read(p, 3), 2*len(values("a", "b")), "the batch that holds the start comes whole")
	found, ok, err := p.OffsetAt(0)
	require.NoError(t, err)
	require.True(t, ok)
	require.EqualValues(t, 3, found.Offset)
	require.Equal(t, []int64{3}, w.strategy.Trims)

	low, refused = p.DeleteRecords(1)
	require.Nil(t, refused)
	require.EqualValues(t, 3, low)
	require.Equal(t, []int64{3}, w.strategy.Trims, "nothing was trimmed")
	for _, offset := range []int64{7, -2} {
		low, refused = p.DeleteRecords(offset)
		require.Equal(t, kerr.OffsetOutOfRange, refused.Kind)
		require.EqualValues(t, -1, low)
	}

	elsewhere := leading(4)
	elsewhere.Leader = 2
	require.NoError(t, p.change(w.host.settingsOf(w.host.Config, w.topic), elsewhere))
	_, refused = p.DeleteRecords(4)
	require.Equal(t, kerr.NotLeaderForPartition, refused.Kind)
}

func TestRecordsAreNotDeletedAboveTheHighWatermark(t *testing.T) {
	w := newBench(t)
	w.strategy.AckDurable = true
	p := w.open()
	gate := make(chan struct{})
	w.engine.Log(id0).Gate = gate
	p.Append(values("a"), 1, nil, 0)
	low, refused := p.DeleteRecords(ToHighWatermark)
	require.Nil(t, refused)
	require.Zero(t, low)
	_, refused = p.DeleteRecords(1)
	require.Equal(t, kerr.OffsetOutOfRange, refused.Kind)
	close(gate)
}

func TestSegmentsGoBesideAppendsAndReads(t *testing.T) {
	w := keep(newBench(t))
	w.topic.RetentionBytes = 0
	w.topic.RetentionMs = -1
	p := w.open()
	var others sync.WaitGroup
	others.Go(func() {
		for range 200 {
			p.Append(values("a"), 1, nil, 0)
		}
	})
	others.Go(func() {
		for range 200 {
			if f := p.Read(p.LogStartOffset(), AnyEpoch, 1<<20); f.Refusal != nil && f.Refusal.Kind != kerr.OffsetOutOfRange {
				t.Error(f.Refusal)
			}
		}
	})
	for range 100 {
		p.retain()
	}
	others.Wait()
	p.retain()
	require.EqualValues(t, 200, p.LogStartOffset())
	require.True(t, slices.IsSorted(w.strategy.Trims))
}

func TestTheRegistryLooksOnceInTheInterval(t *testing.T) {
	h := newHouse(t, 1)
	require.Equal(t, 5*time.Minute, config.Default().RetentionCheckInterval)
	h.create("orders", 1)
	h.configure(topicResource("orders"), map[string]string{"retention.bytes": "0"})
	p := h.partition("orders", 0)
	mustAppend(t, p, values("a"))
	for end := int64(1); end < 4; end++ {
		// Beside the goroutine that looks there is nothing to wait on.
		require.Eventually(t, func() bool {
			if p.LogStartOffset() == end {
				return true
			}
			h.clock.Advance(5 * time.Minute)
			return false
		}, time.Minute, time.Millisecond)
		mustAppend(t, p, values("a"))
	}
	require.NoError(t, h.registry.Close(t.Context()))
	start := p.LogStartOffset() // 3, but for a look that was under way
	h.clock.Advance(time.Hour)
	require.Equal(t, start, p.LogStartOffset(), "nothing looks any more")
}
