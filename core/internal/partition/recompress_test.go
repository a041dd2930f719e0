package partition

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/core/internal/config"
	"odradek.dev/sdk/codec"
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/record"
	"odradek.dev/sdk/record/recordtest"
)

// packed is a batch of a producer in the codec of the tests, or in none.
func packed(compressed bool) record.Batch {
	spec := recordtest.Spec{Records: recordtest.Numbered(3, nowMs), ProducerID: 7, ProducerEpoch: 2, BaseSequence: 5}
	if compressed {
		spec.Codec, spec.Compress = 4, reversed
	}
	return recordtest.Batch(spec)
}

func TestABatchIsStoredInTheCodecOfItsTopic(t *testing.T) {
	into, out := compression{set: true, attribute: 4}, compression{set: true}
	tests := map[string]struct {
		came   bool
		topic  compression
		stored bool
	}{
		"producer, as it came":   {came: false, stored: false},
		"producer, compressed":   {came: true, stored: true},
		"into the topic's":       {came: false, topic: into, stored: true},
		"in the topic's already": {came: true, topic: into, stored: true},
		"out of it":              {came: true, topic: out, stored: false},
		"uncompressed as it is":  {came: false, topic: out, stored: false},
	}
	for name, test := range tests {
		for _, logAppendTime := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				r := usualRules()
				r.compression, r.logAppendTime = test.topic, logAppendTime
				checked, refused := r.check(packed(test.came), nowMs+9)
				require.Nil(t, refused)
				want := packed(test.stored)
				if logAppendTime {
					want.SetTimes(true, nowMs+9)
					want.SetCRC()
				}
				require.Equal(t, []byte(want), checked.batches)
				require.EqualValues(t, 3, checked.records)
				require.Same(t, &checked.batches[0], &checked.sequenced[0], "offsets are written into what is stored")
			})
		}
	}
}

// Kafka fails on such a batch too, and keeps it where it need not be made anew.
func TestAProducerWithoutAnEpochIsNotRecompressed(t *testing.T) {
	r := usualRules()
	_, refused := r.check(sequencedBatch(7, -1, 0, 1), nowMs)
	require.Nil(t, refused)
	r.compression = compression{set: true, attribute: 4}
	_, refused = r.check(sequencedBatch(7, -1, 0, 1), nowMs)
	require.Equal(t, kerr.InvalidRecord, refused.Kind)
}

func TestSeveralBatchesAreStoredInTheCodec(t *testing.T) {
	r := usualRules()
	r.compression = compression{set: true, attribute: 4}
	plain := recordtest.Batch(recordtest.Spec{Records: recordtest.Numbered(3, nowMs)})
	want := recordtest.Batch(recordtest.Spec{Records: recordtest.Numbered(3, nowMs), Codec: 4, Compress: reversed})
	checked, refused := r.check(append(append([]byte(nil), plain...), packed(true)...), nowMs)
	require.Nil(t, refused)
	require.Equal(t, append([]byte(want), packed(true)...), checked.batches)
	require.EqualValues(t, 7, checked.sequenced.ProducerID())
}

func TestWhatIsStoredMustFit(t *testing.T) {
	r := usualRules()
	r.compression = compression{set: true, attribute: 4}
	r.codecs.compress = func(_ int8, dst, src []byte, _ int) ([]byte, error) {
		return append(append(dst, src...), src...), nil
	}
	r.maxBytes = int32(len(packed(false)))
	_, refused := r.check(packed(false), nowMs)
	require.Equal(t, kerr.MessageTooLarge, refused.Kind)

	r.compression, r.maxBytes = compression{set: true}, record.HeaderSize+10
	r.codecs.decompress = func(_ int8, dst, _ []byte, _ int) ([]byte, error) {
		return append(dst, packed(false).Records()...), nil
	}
	_, refused = r.check(patch(append(packed(true)[:record.HeaderSize:record.HeaderSize], 1), 11, record.HeaderSize+1-12), nowMs)
	require.Equal(t, kerr.MessageTooLarge, refused.Kind)
}

func TestACodecThatFails(t *testing.T) {
	for want, err := range map[*kerr.Error]error{
		kerr.UnsupportedCompressionType: codec.ErrNone.With("lz4"),
		kerr.InvalidRecord:              codec.ErrCorrupt.With("at 7"),
		kerr.RequestTimedOut:            module.Retriablef("its process is being started"),
		kerr.UnknownServerError:         module.Fatalf("it panicked"),
	} {
		r := usualRules()
		r.codecs = newCodecs(Options{
			Decompress: func(int8, []byte, []byte, int) ([]byte, error) { return nil, err },
			Compress:   func(int8, []byte, []byte, int) ([]byte, error) { return nil, err },
		})
		_, refused := r.check(packed(true), nowMs)
		require.Equal(t, want, refused.Kind, "opening: %v", err)
		r.compression = compression{set: true, attribute: 4}
		_, refused = r.check(packed(false), nowMs)
		require.Equal(t, want, refused.Kind, "packing: %v", err)
	}
}

func TestTheCodecAndItsLevelAreOfTheTopic(t *testing.T) {
	b := config.Default()
	for _, test := range []struct {
		configs map[string]string
		want    compression
	}{
		{nil, compression{}},
		{map[string]string{"compression.type": "uncompressed"}, compression{set: true}},
		{map[string]string{"compression.type": "gzip"}, compression{true, 1, -1}},
		{map[string]string{"compression.type": "gzip", "compression.gzip.level": "9"}, compression{true, 1, 9}},
		{map[string]string{"compression.type": "snappy"}, compression{true, 2, codec.LevelDefault}},
		{map[string]string{"compression.type": "lz4", "compression.lz4.level": "17"}, compression{true, 3, 17}},
		{map[string]string{"compression.type": "zstd", "compression.gzip.level": "9"}, compression{true, 4, 3}},
		{map[string]string{"compression.type": "zstd", "compression.zstd.level": "-5"}, compression{true, 4, -5}},
	} {
		topic, err := config.ResolveTopic(&b, test.configs)
		require.NoError(t, err)
		require.Equal(t, test.want, compressionOf(topic))
	}
}

// A batch that grows far more than is usual is opened all the same, up to the
// topic's budget, and the buffer for it is not kept.
func TestABatchThatGrowsMuch(t *testing.T) {
	const size = 3 * usualBytes
	var budgets []int
	c := newCodecs(Options{Decompress: func(_ int8, dst, _ []byte, budget int) ([]byte, error) {
		budgets = append(budgets, budget)
		if budget < size {
			return nil, codec.ErrOverBudget
		}
		return append(dst, make([]byte, size)...), nil
	}})
	b := packed(true)
	open, err := c.open(b, math.MaxInt32)
	require.NoError(t, err)
	require.Len(t, open.records, size)
	require.False(t, c.large.TryLock(), "another large one waits")
	c.close(open)
	require.True(t, c.large.TryLock())
	c.large.Unlock()
	_, err = c.open(b, size-1)
	require.ErrorIs(t, err, codec.ErrOverBudget)
	require.True(t, c.large.TryLock(), "also when it failed")
	require.Equal(t, []int{usualBytes, math.MaxInt32, usualBytes, size - 1}, budgets)
}
