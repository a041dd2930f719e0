package partition

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"odradek.dev/core/internal/config"
	"odradek.dev/sdk/codec"
	"odradek.dev/sdk/record"
	"odradek.dev/sdk/record/recordtest"
	"odradek.dev/sdk/storage"
)

// compacting has the topic compacted whenever anything is new, in segments of
// eight appends, and tombstones kept for a minute.
func compacting(w *bench) *bench {
	w.engine.SegmentBatches = 8
	w.topic.CleanupPolicy = []string{"compact"}
	w.topic.MinCleanableRatio = 0
	w.topic.DeleteRetentionMs = time.Minute.Milliseconds()
	w.topic.SegmentBytes = 8 << 10
	return w
}

// keyed is a record of key and value; an empty value is a tombstone.
func keyed(key, value string) recordtest.Record {
	r := recordtest.Record{Key: []byte(key), Timestamp: nowMs, Headers: []recordtest.Header{{Key: "h", Value: []byte(key)}}}
	if value != "" {
		r.Value = []byte(value)
	}
	return r
}

// entry is a record as a reader sees it.
type entry struct {
	key, value  string
	timestampMs int64
}

// entries reads all records by offset, and holds the batches to their form.
func (w *bench) entries(p *Partition) map[int64]entry {
	w.t.Helper()
	all := map[int64]entry{}
	for offset := p.LogStartOffset(); offset < p.HighWatermark(); {
		next := offset
		for rest := w.read(p, offset); len(rest) > 0; {
			b, after, ok := record.Next(rest)
			if !ok {
				break
			}
			require.True(w.t, b.CRCValid())
			require.GreaterOrEqual(w.t, b.BaseOffset(), next)
			next, rest = b.LastOffset()+1, after
			opened, err := w.host.codecs.open(b, math.MaxInt32)
			require.NoError(w.t, err)
			require.NoError(w.t, record.Walk(opened.records, b.RecordCount(), func(r record.Record) error {
				for _, header := range r.Headers.All() {
					require.Equal(w.t, r.Key, header)
				}
				all[b.BaseOffset()+int64(r.OffsetDelta)] = entry{string(r.Key), string(r.Value), b.BaseTimestamp() + r.TimestampDelta}
				return nil
			}))
			w.host.codecs.close(opened)
		}
		require.Greater(w.t, next, offset)
		offset = next
	}
	return all
}

// newestOf is the newest offset of each key.
func newestOf(all map[int64]entry) map[string]int64 {
	newest := map[string]int64{}
	for offset, e := range all {
		if known, ok := newest[e.key]; !ok || offset > known {
			newest[e.key] = offset
		}
	}
	return newest
}

// TestACompactedLogKeepsTheLastRecordOfEachKey writes by chance and holds the
// log against all that was written.
func TestACompactedLogKeepsTheLastRecordOfEachKey(t *testing.T) {
	for seed := range uint64(20) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 1))
			w := compacting(newBench(t))
			w.host.Config.Cleaner.DedupeBufferSize = keyBytes * (5 + random.Int64N(60))
			p := w.open()
			written := map[int64]entry{}
			for range 30 {
				for range random.IntN(20) {
					w.appendKeyed(p, random, written)
				}
				w.clock.Advance(time.Duration(random.IntN(40)) * time.Second)
				p.compact(t.Context())
				w.checkCompacted(p, written)
			}
			require.Greater(t, w.engine.Log(id0).Rewritten, 3)
		})
	}
}

func (w *bench) appendKeyed(p *Partition, random *rand.Rand, written map[int64]entry) {
	w.t.Helper()
	var spec recordtest.Spec
	for range 1 + random.IntN(5) {
		key, value := fmt.Sprint("key-", random.IntN(40)), fmt.Sprint("value-", len(written))
		if random.IntN(6) == 0 {
			value = ""
		}
		r := keyed(key, value)
		r.Timestamp += random.Int64N(100)
		spec.Records = append(spec.Records, r)
	}
	if random.IntN(3) == 0 {
		spec.Codec, spec.Compress = 4, reversed
	}
	a := mustAppend(w.t, p, recordtest.Batch(spec))
	for i, r := range spec.Records {
		written[a.BaseOffset+int64(i)] = entry{string(r.Key), string(r.Value), r.Timestamp}
	}
}

func (w *bench) checkCompacted(p *Partition, written map[int64]entry) {
	w.t.Helper()
	got, newest := w.entries(p), newestOf(written)
	perKey := map[string]int{}
	for offset, e := range got {
		require.Equal(w.t, written[offset], e, "offset %d", offset)
		if offset < p.compacted.dirty {
			perKey[e.key]++
			require.Equal(w.t, 1, perKey[e.key], "key %s is there once below %d", e.key, p.compacted.dirty)
		}
	}
	for key, offset := range newest {
		if written[offset].value != "" {
			require.Contains(w.t, got, offset, "the last value of %s", key)
		}
	}
}

func TestTombstonesStayForAWhile(t *testing.T) {
	w := compacting(newBench(t))
	p := w.open()
	for i := range 8 {
		mustAppend(t, p, recordtest.Batch(recordtest.Spec{Records: []recordtest.Record{keyed("gone", "v"), keyed(fmt.Sprint(i), "v")}}))
	}
	mustAppend(t, p, recordtest.Batch(recordtest.Spec{Records: []recordtest.Record{keyed("gone", ""), keyed("other", "v")}}))
	for range 8 {
		mustAppend(t, p, recordtest.Batch(recordtest.Spec{Records: []recordtest.Record{keyed("last", "v")}}))
	}
	tombstone := int64(16)
	next := p.compact(t.Context())
	require.EqualValues(t, nowMs+time.Minute.Milliseconds(), next)
	require.Equal(t, entry{"gone", "", nowMs}, w.entries(p)[tombstone], "who reads the log late learns of it")
	found, ok, err := p.OffsetAt(nowMs)
	require.True(t, ok)
	require.NoError(t, err)
	require.EqualValues(t, 1, found.Offset, "the first record that is left")

	w.clock.Advance(time.Minute - time.Millisecond)
	require.Equal(t, next, p.compact(t.Context()))
	require.Contains(t, w.entries(p), tombstone)
	w.clock.Advance(time.Millisecond)
	require.EqualValues(t, math.MaxInt64, p.compact(t.Context()), "it goes though nobody writes")
	require.NotContains(t, w.entries(p), tombstone)
	rewritten := w.engine.Log(id0).Rewritten
	w.clock.Advance(time.Hour)
	p.compact(t.Context())
	require.Equal(t, rewritten, w.engine.Log(id0).Rewritten, "nothing is left to do")
}

func TestBatchesOfTransactionsAndMarkersStay(t *testing.T) {
	newest := &newestOffsets{byKey: map[[16]byte]int64{}, most: 10, upTo: 100}
	s := &survivors{newest: newest}
	for _, spec := range []recordtest.Spec{{Transactional: true, ProducerID: 5}, {Control: true, Transactional: true, ProducerID: 5}} {
		spec.Records = []recordtest.Record{keyed("a", "1"), keyed("a", "2")}
		b := recordtest.Batch(spec)
		require.NoError(t, newest.noteBatch(b, b.Records(), 0))
		require.Empty(t, newest.byKey)
		newest.byKey[hashed([]byte("a"))] = 90
		newest.upTo = 100
		kept, err := s.appendKept(nil, b, false)
		require.NoError(t, err)
		require.Equal(t, []byte(b), kept)
		clear(newest.byKey)
	}
}

func TestProducersOutliveCompaction(t *testing.T) {
	w := compacting(newBench(t))
	p := w.open()
	again := sequencedBatch(7, 0, 0, 3)
	mustAppend(t, p, append(record.Batch(nil), again...))
	for range 20 {
		mustAppend(t, p, recordtest.Batch(recordtest.Spec{Records: recordtest.Numbered(3, nowMs)}))
	}
	p.compact(t.Context())
	require.NotContains(t, w.entries(p), int64(0))
	b, _, ok := record.Next(w.read(p, 0))
	require.True(t, ok)
	require.Len(t, b, record.HeaderSize, "its header is what is left")
	require.NoError(t, p.close(context.Background(), errGone))
	w.engine.Log(id0).DropStates()

	p = w.open()
	end := p.LogEndOffset()
	require.Zero(t, mustAppend(t, p, again).BaseOffset, "it is a duplicate still")
	require.Equal(t, end, p.LogEndOffset())
}

func TestWhatIsCompactedStaysSoAfterARestart(t *testing.T) {
	w := compacting(newBench(t))
	p := w.open()
	for range 20 {
		mustAppend(t, p, recordtest.Batch(recordtest.Spec{Records: []recordtest.Record{keyed("a", "v"), keyed("b", "")}}))
	}
	p.compact(t.Context())
	rewritten := w.engine.Log(id0).Rewritten
	require.Positive(t, rewritten)
	require.NoError(t, p.close(context.Background(), errGone))
	p = w.open()
	require.EqualValues(t, nowMs+w.topic.DeleteRetentionMs, p.compact(t.Context()), "tombstones are looked for then")
	require.Equal(t, rewritten, w.engine.Log(id0).Rewritten)
	for range 20 {
		mustAppend(t, p, recordtest.Batch(recordtest.Spec{Records: []recordtest.Record{keyed("a", "v")}}))
	}
	p.compact(t.Context())
	require.Greater(t, w.engine.Log(id0).Rewritten, rewritten)
}

// A batch that loses records is compressed as one that is produced would be, in
// the codec that it came in, whatever compression.type is.
func TestCompactionCompressesAtTheLevelOfTheTopic(t *testing.T) {
	w := compacting(newBench(t))
	w.topic.ZstdLevel, w.topic.Lz4Level = 17, 3
	used := map[int]int{}
	w.host.codecs.compress = func(attribute int8, dst, src []byte, level int) ([]byte, error) {
		used[level]++
		return reverseBack(attribute, dst, src, level)
	}
	p := w.open()
	for range 20 {
		mustAppend(t, p, recordtest.Batch(recordtest.Spec{Codec: 4, Compress: reversed, Records: []recordtest.Record{keyed("a", "v"), keyed("b", "v")}}))
	}
	mustAppend(t, p, recordtest.Batch(recordtest.Spec{Codec: 4, Compress: reversed, Records: []recordtest.Record{keyed("a", "v"), keyed("c", "v")}}))
	for range 8 {
		mustAppend(t, p, recordtest.Batch(recordtest.Spec{Codec: 4, Compress: reversed, Records: []recordtest.Record{keyed("a", "v")}}))
	}
	p.compact(t.Context())
	require.Equal(t, map[int]int{17: 2}, used, "two batches have lost some of their records and not all")
}

func TestTheLevelsOfTheCodecs(t *testing.T) {
	topic := config.Default().Topic
	topic.GzipLevel, topic.Lz4Level, topic.ZstdLevel = 2, 3, 5
	for _, compressionType := range []string{"producer", "uncompressed", "zstd"} {
		topic.CompressionType = compressionType
		of := levelsOf(topic).of
		require.Equal(t, []int{2, codec.LevelDefault, 3, 5, codec.LevelDefault}, []int{of(1), of(2), of(3), of(4), of(7)})
	}
}

func TestDamageIsNotCompacted(t *testing.T) {
	w := compacting(newBench(t))
	p := w.open()
	for range 20 {
		mustAppend(t, p, recordtest.Batch(recordtest.Spec{Records: []recordtest.Record{keyed("a", "v")}}))
	}
	require.NoError(t, w.engine.Log(id0).Damage(3))
	before := w.read(p, 0)
	require.EqualValues(t, math.MaxInt64, p.compact(t.Context()))
	require.Equal(t, before, w.read(p, 0))
	require.NoError(t, p.Failure(), "the rest is served")
}

func TestAFileThatWasReplacedIsNotOpened(t *testing.T) {
	w := compacting(newBench(t))
	p := w.open()
	for range 20 {
		mustAppend(t, p, recordtest.Batch(recordtest.Spec{Records: []recordtest.Record{keyed("a", "v")}}))
	}
	old := p.Read(0, AnyEpoch, 1<<20).Chunk
	held, err := p.Open(old.Extents[0].File)
	require.NoError(t, err)
	before, err := p.appendChunk(nil, old)
	require.NoError(t, err)
	p.compact(t.Context())
	_, err = p.Open(old.Extents[0].File)
	require.ErrorContains(t, err, "was replaced by a compacted segment")
	after := make([]byte, len(before))
	_, err = held.ReadAt(after, old.Extents[0].Position)
	require.NoError(t, err)
	require.Equal(t, before, after, "whoever has it open reads on")
	held.Release()
	require.Len(t, w.entries(p), 1+int(p.LogEndOffset()-p.compacted.dirty))
}

// A lookup and a scan find batches, and compaction replaces their file before
// they have opened it.
func TestAFileThatIsReplacedIsLookedForOnceMore(t *testing.T) {
	for name, look := range map[string]func(*testing.T, *Partition){
		"lookup": func(t *testing.T, p *Partition) {
			found, ok, err := p.OffsetAt(nowMs)
			require.NoError(t, err)
			require.True(t, ok)
			require.Positive(t, found.Offset, "what was first is compacted away")
		},
		"scan": func(t *testing.T, p *Partition) {
			seen, end := scanned(t, p, 0)
			require.EqualValues(t, 20, end)
			require.Less(t, len(seen), 20)
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := compacting(newBench(t))
			p := w.open()
			for range 20 {
				mustAppend(t, p, recordtest.Batch(recordtest.Spec{Records: []recordtest.Record{keyed("a", "v")}}))
			}
			w.engine.AfterRead = func() {
				w.engine.AfterRead = nil
				p.compact(t.Context())
			}
			look(t, p)
			require.Positive(t, w.engine.Log(id0).Rewritten)
		})
	}
}

// TestTheCleanerWaits has the goroutine compact what was rolled, once the
// pause is over.
func TestTheCleanerWaits(t *testing.T) {
	w := compacting(newBench(t))
	done := make(chan struct{}, 1)
	w.engine.AfterRewrite = func() { done <- struct{}{} }
	w.host.cleaner.start(w.host)
	defer w.host.cleaner.stop()
	p := w.open()
	for range 9 {
		mustAppend(t, p, recordtest.Batch(recordtest.Spec{Records: []recordtest.Record{keyed("a", "v")}}))
	}
	require.Zero(t, w.engine.Log(id0).Rewritten)
	for rewritten := false; !rewritten; {
		w.clock.Advance(time.Second)
		select {
		case <-done:
			rewritten = true
		default:
		}
	}
	require.GreaterOrEqual(t, w.clock.Now().UnixMilli(), nowMs+w.host.Config.Cleaner.Backoff.Milliseconds())
}

// unsupporting is an engine without the capability.
type unsupporting struct{ storage.Log }

func (unsupporting) Rewrite(context.Context, storage.Rewrite) error { return storage.ErrNotSupported }

func TestAnEngineThatCannotRewrite(t *testing.T) {
	w := compacting(newBench(t))
	p := w.open()
	for range 20 {
		mustAppend(t, p, recordtest.Batch(recordtest.Spec{Records: []recordtest.Record{keyed("a", "v")}}))
	}
	before := maps.Clone(w.entries(p))
	p.log = unsupporting{p.log}
	require.EqualValues(t, math.MaxInt64, p.compact(t.Context()))
	require.True(t, p.compacted.unsupported, "it is asked once")
	require.Equal(t, before, w.entries(p))
	require.NoError(t, p.Failure())
}
