package partition

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/sdk/record"
	"odradek.dev/sdk/replication"
	"odradek.dev/sdk/storage"
)

func TestAppendStampsOffsetsAndEpoch(t *testing.T) {
	w := newBench(t)
	p := w.open()
	mustAppend(t, p, values("a", "b"))
	two := append(values("c"), values("d", "e")...)
	a := mustAppend(t, p, two)
	require.Equal(t, int64(2), a.BaseOffset)
	require.Equal(t, int64(-1), a.LogAppendTimeMs)
	require.Equal(t, int64(5), p.LogEndOffset())
	require.Equal(t, int64(5), p.HighWatermark())

	read := w.read(p, 0)
	for _, want := range []int64{0, 2, 3} {
		b, rest, ok := record.Next(read)
		require.True(t, ok)
		require.Equal(t, want, b.BaseOffset())
		require.Equal(t, int32(3), b.LeaderEpoch())
		require.True(t, b.CRCValid())
		read = rest
	}
	require.Empty(t, read)
}

// read returns all visible bytes from the batch that holds offset.
func (w *bench) read(p *Partition, offset int64) []byte {
	w.t.Helper()
	f := p.Read(offset, AnyEpoch, 1<<20)
	require.Nil(w.t, f.Refusal)
	b, err := p.appendChunk(nil, f.Chunk)
	require.NoError(w.t, err)
	return b
}

func TestADuplicateGetsTheFirstAnswer(t *testing.T) {
	w := newBench(t)
	w.topic.TimestampType = "LogAppendTime"
	p := w.open()
	mustAppend(t, p, values("a"))
	first := mustAppend(t, p, sequencedBatch(7, 0, 0, 2))
	require.Equal(t, int64(nowMs), first.LogAppendTimeMs)
	w.clock.Advance(time.Minute)
	require.Equal(t, first, mustAppend(t, p, sequencedBatch(7, 0, 0, 2)))
	require.Equal(t, int64(3), p.LogEndOffset())
}

func TestADuplicateWaitsWithTheFirst(t *testing.T) {
	w := newBench(t)
	w.strategy.AckDurable = true
	p := w.open()
	gate := make(chan struct{})
	w.engine.Log(id0).Gate = gate
	first, again, later := make(answers, 1), make(answers, 1), make(answers, 1)
	_, decided := p.Append(sequencedBatch(7, 0, 0, 2), -1, first, 0)
	require.False(t, decided)
	_, decided = p.Append(sequencedBatch(7, 0, 0, 2), -1, again, 0)
	require.False(t, decided)
	_, decided = p.Append(sequencedBatch(7, 0, 2, 2), -1, later, 0)
	require.False(t, decided)
	require.Zero(t, p.HighWatermark())
	first.requireNone(t)
	again.requireNone(t)
	close(gate)
	require.Equal(t, int64(0), first.next(t).BaseOffset)
	require.Equal(t, int64(0), again.next(t).BaseOffset)
	require.Equal(t, int64(2), later.next(t).BaseOffset)
}

func TestFlushMessagesHoldsAcksAndShares(t *testing.T) {
	w := newBench(t)
	w.topic.FlushMessages = 1
	p := w.open()
	log, gate := w.engine.Log(id0), make(chan struct{})
	log.Gate = gate
	acks := make(answers, 100)
	for range 100 {
		_, decided := p.Append(values("a"), 1, acks, 0)
		require.False(t, decided)
	}
	require.Zero(t, p.HighWatermark(), "what is not durable is not visible")
	acks.requireNone(t)
	close(gate)
	for i := range int64(100) {
		require.Equal(t, i, acks.next(t).BaseOffset)
	}
	require.Equal(t, int64(100), p.HighWatermark())
	require.NoError(t, p.close(context.Background(), errGone))
	require.LessOrEqual(t, log.Syncs, 3, "appends during a sync share the next")
}

func TestFlushMsSyncsLater(t *testing.T) {
	w := newBench(t)
	w.topic.FlushMs = 50
	p := w.open()
	gate := make(chan struct{})
	w.engine.Log(id0).Gate = gate
	mustAppend(t, p, values("a"))
	w.clock.Advance(49 * time.Millisecond)
	require.False(t, p.isSyncing())
	w.clock.Advance(time.Millisecond)
	require.True(t, p.isSyncing())
	close(gate)
}

func (p *Partition) isSyncing() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.flush.running
}

func TestAFullDiskIsToldAndPasses(t *testing.T) {
	w := newBench(t)
	p := w.open()
	w.engine.FailAppend = func() error { return storage.ErrFull }
	a, decided := p.Append(sequencedBatch(7, 0, 0, 1), -1, nil, 0)
	require.True(t, decided)
	require.Equal(t, kerr.KafkaStorageError, a.Refusal.Kind)
	w.engine.FailAppend = nil
	a = mustAppend(t, p, sequencedBatch(7, 0, 0, 1))
	require.Zero(t, a.BaseOffset, "what failed left no trace, in the log or in the producer's state")
}

func TestABrokenLogTakesThePartitionOffline(t *testing.T) {
	w := newBench(t)
	w.strategy.AckDurable = true
	p := w.open()
	gate := make(chan struct{})
	w.engine.Log(id0).Gate = gate
	waiting := make(answers, 1)
	_, decided := p.Append(values("a"), -1, waiting, 0)
	require.False(t, decided)
	w.engine.FailAppend = func() error { return errors.New("input/output error") }
	a, decided := p.Append(values("b"), -1, nil, 0)
	require.True(t, decided)
	require.Equal(t, kerr.KafkaStorageError, a.Refusal.Kind)
	require.Equal(t, kerr.KafkaStorageError, waiting.next(t).Refusal.Kind, "nobody is left waiting")
	require.Equal(t, kerr.KafkaStorageError, p.Read(0, AnyEpoch, 1).Refusal.Kind)
	require.Error(t, p.Failure())
	close(gate)
}

func TestAStrategyThatErrsIsNotFollowed(t *testing.T) {
	tests := map[string][]replication.Effect{
		"no answer":                   {},
		"answers somebody else":       {{Kind: replication.EffectAck, Request: 99}},
		"appends somebody else's":     {{Kind: replication.EffectAppend, Request: 99}},
		"appends twice":               {{Kind: replication.EffectAppend, Request: 1}, {Kind: replication.EffectAppend, Request: 1}},
		"shows more than there is":    {{Kind: replication.EffectVisible, Offset: 1}},
		"sends with nobody there":     {{Kind: replication.EffectSend, Peer: 2}},
		"truncates what was shown":    {{Kind: replication.EffectAppend, Request: 1}, {Kind: replication.EffectVisible, Offset: 1}, {Kind: replication.EffectTruncate}},
		"moves the watermark back":    {{Kind: replication.EffectAppend, Request: 1}, {Kind: replication.EffectVisible, Offset: 1}, {Kind: replication.EffectVisible}},
		"an effect that is not known": {{Kind: 200}},
	}
	for name, effects := range tests {
		t.Run(name, func(t *testing.T) {
			w := newBench(t)
			p := w.open()
			w.strategy.Rogue = effects
			a, decided := p.Append(values("a"), -1, nil, 0)
			require.True(t, decided)
			require.NotNil(t, a.Refusal)
			require.Equal(t, kerr.KafkaStorageError, a.Refusal.Kind)
			require.Error(t, p.Failure())
		})
	}
}

func TestAFollowerTakesNoAppendsAndNoReads(t *testing.T) {
	w := newBench(t)
	p := w.open()
	elsewhere := leading(4)
	elsewhere.Leader = 2
	require.NoError(t, p.change(p.settings.Load(), elsewhere))
	a, decided := p.Append(values("a"), -1, nil, 0)
	require.True(t, decided)
	require.Equal(t, kerr.NotLeaderForPartition, a.Refusal.Kind)
	require.Equal(t, int32(2), a.Leader)
	require.Equal(t, int32(4), a.Epoch)
	f := p.Read(0, AnyEpoch, 1)
	require.Equal(t, kerr.NotLeaderForPartition, f.Refusal.Kind)
	require.Equal(t, int32(2), f.Leader)
}

func TestTheEpochOfAReaderIsChecked(t *testing.T) {
	p := newBench(t).open()
	require.Nil(t, p.Read(0, 3, 1).Refusal)
	require.Equal(t, kerr.FencedLeaderEpoch, p.Read(0, 2, 1).Refusal.Kind)
	require.Equal(t, kerr.UnknownLeaderEpoch, p.Read(0, 4, 1).Refusal.Kind)
}

func TestProducerStateOutlivesTheBroker(t *testing.T) {
	for name, forget := range map[string]bool{"kept": false, "made from the log": true} {
		t.Run(name, func(t *testing.T) {
			w := newBench(t)
			w.engine.SegmentBatches = 2
			p := w.open()
			for i := range int32(5) {
				mustAppend(t, p, sequencedBatch(7, 0, i, 1))
			}
			p.leave(errOffline)
			log := w.engine.Log(id0)
			require.ElementsMatch(t, []int64{2, 4}, log.States(), "kept at each roll")
			if forget {
				log.DropStates()
			}
			p = w.open()
			require.Equal(t, int64(4), mustAppend(t, p, sequencedBatch(7, 0, 4, 1)).BaseOffset)
			require.Equal(t, int64(5), mustAppend(t, p, sequencedBatch(7, 0, 5, 1)).BaseOffset)
			_, refused := p.producers.check(sequencedBatch(7, 0, 9, 1), nowMs)
			require.Equal(t, kerr.OutOfOrderSequenceNumber, refused.Kind)
		})
	}
}

func TestTheStateIsKeptAtTheEndUnlessTheLogSoonTellsIt(t *testing.T) {
	w := newBench(t)
	p := w.open()
	mustAppend(t, p, sequencedBatch(7, 0, 0, 1))
	p.leave(errOffline)
	require.Empty(t, w.engine.Log(id0).States())
	p = w.open()
	mustAppend(t, p, sequencedBatch(7, 0, 1, 1000))
	p.leave(errOffline)
	require.Equal(t, []int64{1001}, w.engine.Log(id0).States())
	p = w.open()
	p.leave(errOffline)
	require.Equal(t, []int64{1001}, w.engine.Log(id0).States())
}

// A state that a crash tore is passed over for an older one.
func TestADamagedStateIsPassedOver(t *testing.T) {
	w := newBench(t)
	w.engine.SegmentBatches = 2
	p := w.open()
	for i := range int32(5) {
		mustAppend(t, p, sequencedBatch(7, 0, i, 1))
	}
	p.leave(errOffline)
	log := w.engine.Log(id0)
	require.NoError(t, log.SaveState(context.Background(), 4, []byte("torn")))
	require.NoError(t, log.SaveState(context.Background(), 5, nil))
	p = w.open()
	require.Equal(t, int64(2), p.stateKept)
	require.Equal(t, int64(4), mustAppend(t, p, sequencedBatch(7, 0, 4, 1)).BaseOffset, "a repetition")
	require.Equal(t, int64(5), mustAppend(t, p, sequencedBatch(7, 0, 5, 1)).BaseOffset)
}

// A state is kept as of the roll: the batch that began the segment is not in it.
func TestTheStateKeptAtARollIsThatBeforeIt(t *testing.T) {
	w := newBench(t)
	w.engine.SegmentBatches = 1
	p := w.open()
	mustAppend(t, p, sequencedBatch(7, 0, 0, 1))
	mustAppend(t, p, sequencedBatch(7, 0, 1, 1))
	_, state, ok, err := w.engine.Log(id0).LoadState(context.Background(), 1)
	require.NoError(t, err)
	require.True(t, ok)
	kept := newProducers()
	require.NoError(t, kept.load(state, nowMs))
	require.Equal(t, int32(0), kept.byID[7].batches[0].last)
}
