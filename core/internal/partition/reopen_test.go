package partition

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/core/internal/metadata"
	"odradek.dev/sdk/storage"
)

// fill has every log that is opened from now on find the disk full, and counts
// the openings.
func (h *house) fill() (tried *int) {
	tried = new(int)
	h.engine.FailOpen = func(storage.Open) error {
		*tried++
		return storage.ErrFull.With("no space left on device")
	}
	return tried
}

func requireRefusing(t *testing.T, p *Partition) {
	t.Helper()
	require.ErrorContains(t, p.Failure(), "no space left on device")
	for _, kind := range []*kerr.Error{p.Read(0, AnyEpoch, 1).Refusal.Kind, refusalTo(t, p)} {
		require.Equal(t, kerr.KafkaStorageError, kind)
		require.True(t, kind.Retriable)
	}
}

func refusalTo(t *testing.T, p *Partition) *kerr.Error {
	t.Helper()
	a, decided := p.Append(values("refused"), 1, nil, 0)
	require.True(t, decided)
	require.NotNil(t, a.Refusal)
	return a.Refusal.Kind
}

func TestALogThatAFullDiskKeepsShutOpensOnceThereIsRoom(t *testing.T) {
	h := newHouse(t, 1)
	h.create("orders", 1)
	mustAppend(t, h.partition("orders", 0), values("a", "b"))
	require.NoError(t, h.registry.Close(t.Context()))
	tried := h.fill()
	h.start()
	h.registry.retainer.stop() // the test looks itself, further down
	h.create("words", 1)       // created while full
	orders, words := h.partition("orders", 0), h.partition("words", 0)
	requireRefusing(t, orders)
	requireRefusing(t, words)
	require.Equal(t, 2, h.registry.Stats().Offline)
	require.Equal(t, 2, strings.Count(h.log.String(), "the disk is full"), h.log.String())

	*tried = 0
	var at []int
	for second := range 130 {
		before := *tried
		h.clock.Advance(time.Second)
		if *tried > before {
			at = append(at, second+1)
		}
	}
	require.Equal(t, []int{1, 3, 7, 15, 31, 61, 91, 121}, at, "back-off up to 30 s")
	require.Equal(t, 2, strings.Count(h.log.String(), "the disk is full"), "said once")
	requireRefusing(t, orders)
	orders.retain()

	h.engine.FailOpen = nil
	h.clock.Advance(longestReopening)
	require.NoError(t, orders.Failure())
	require.Zero(t, h.registry.Stats().Offline)
	require.Equal(t, 2, strings.Count(h.log.String(), "is open and serves"), h.log.String())
	require.EqualValues(t, 2, orders.LogEndOffset())
	require.EqualValues(t, 2, orders.HighWatermark())
	f := orders.Read(0, AnyEpoch, 1<<20)
	require.Nil(t, f.Refusal)
	require.NotEmpty(t, f.Chunk.Extents)
	require.EqualValues(t, 2, mustAppend(t, orders, values("c")).BaseOffset)
	require.Zero(t, mustAppend(t, words, values("first")).BaseOffset)

	opened := h.fill()
	h.clock.Advance(time.Hour)
	require.Zero(t, *opened, "nothing ticks any more")
	h.engine.FailOpen = nil
}

func TestAPartitionThatWaitsForRoomFollowsTheImage(t *testing.T) {
	h := newHouse(t, 1)
	tried := h.fill()
	h.create("orders", 2)
	h.create("gone", 1)
	gone := h.partition("gone", 0)
	h.remove("gone")
	require.Equal(t, kerr.UnknownTopicOrPartition, refusalTo(t, gone))
	settings := h.partition("orders", 0).settings.Load()
	h.plan(metadata.CreatePartitions(t.Context(), h.image, h.rules, []metadata.NewPartitions{{Topic: "orders", Count: 3}}))
	require.NotSame(t, settings, h.partition("orders", 0).settings.Load())
	*tried = 0
	h.clock.Advance(firstReopening)
	require.Equal(t, 3, *tried, "what was removed is not tried")
	h.engine.FailOpen = nil
	h.clock.Advance(2 * firstReopening)
	for i := range int32(3) {
		mustAppend(t, h.partition("orders", i), values("a"))
	}
}

func TestALogThatFailsOtherwiseWhileItWaitsForRoomIsTriedNoMore(t *testing.T) {
	h := newHouse(t, 2)
	h.fill()
	h.create("orders", 1)
	p := h.partition("orders", 0)
	tried := 0
	h.engine.FailOpen = func(o storage.Open) error {
		tried++
		return storage.ErrCorrupt.With("%s", o.Dir)
	}
	h.clock.Advance(time.Hour)
	require.Equal(t, 1, tried)
	require.ErrorContains(t, p.Failure(), "corrupt")
	h.engine.FailOpen = nil
}

func TestACloseEndsTheWaitForRoom(t *testing.T) {
	h := newHouse(t, 1)
	tried := h.fill()
	h.create("orders", 1)
	require.NoError(t, h.registry.Close(t.Context()))
	*tried = 0
	h.clock.Advance(time.Hour)
	require.Zero(t, *tried)
	h.engine.FailOpen = nil
}

func TestALogThatIsShutForWantOfDescriptorsOpensOnceThereAreSome(t *testing.T) {
	h := newHouse(t, 1)
	h.create("orders", 1)
	mustAppend(t, h.partition("orders", 0), values("a"))
	h.engine.FailOpen = func(storage.Open) error { return storage.ErrNoDescriptor.With("x") }
	h.restart(h.config.LogDirs, nil)
	require.ErrorContains(t, h.partition("orders", 0).Failure(), "too many files are open")
	require.Contains(t, h.log.String(), "ulimit -n")
	h.engine.FailOpen = nil
	h.clock.Advance(firstReopening)
	require.EqualValues(t, 1, h.partition("orders", 0).LogEndOffset())
	mustAppend(t, h.partition("orders", 0), values("b"))
}

func TestASyncThatFindsNoDescriptorIsMadeAgain(t *testing.T) {
	w := newBench(t)
	w.topic.FlushMessages = 1
	var syncs atomic.Int32
	w.engine.FailSync = func() error {
		if syncs.Add(1) <= 2 {
			return storage.ErrNoDescriptor.With("x")
		}
		return nil
	}
	p := w.open()
	acked := make(answers, 1)
	_, decided := p.Append(values("a"), -1, acked, 0)
	require.False(t, decided)
	for tried := int32(1); tried <= 2; tried++ {
		require.Eventually(t, func() bool { return syncs.Load() == tried && !p.isSyncing() }, time.Minute, time.Millisecond)
		acked.requireNone(t)
		require.NoError(t, p.Failure())
		w.clock.Advance(firstReopening)
	}
	require.Nil(t, acked.next(t).Refusal)
	require.EqualValues(t, 1, p.HighWatermark())
}
