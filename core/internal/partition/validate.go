package partition

import (
	"math"

	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/core/internal/refusal"
	"odradek.dev/sdk/record"
)

// Decompress appends the decompressed src to dst; what it adds is at most
// budget bytes. attribute is the codec's number in a batch's attributes. Safe
// for concurrent use.
type Decompress func(attribute int8, dst, src []byte, budget int) ([]byte, error)

// rules is what bears on a batch of a topic's configuration.
type rules struct {
	maxBytes      int32 // max.message.bytes
	segmentBytes  int64 // segment.bytes
	logAppendTime bool  // message.timestamp.type
	beforeMaxMs   int64 // message.timestamp.before.max.ms
	afterMaxMs    int64 // message.timestamp.after.max.ms
	compacted     bool  // cleanup.policy has compact

	decompress Decompress
	// budget bounds what one batch may decompress to.
	budget int
}

// checked is what validation found of the batches of one append.
type checked struct {
	records int64
	// sequenced is the batch of an idempotent producer, nil if there is none.
	// An append has at most one.
	sequenced record.Batch
}

const maxCodec = 4

// check validates whole batches from a client, and writes the timestamps that
// the topic's configuration says are the broker's. It neither knows nor changes
// the log. What does not survive it must not be appended.
func (r *rules) check(batches []byte, nowMs int64) (checked, *refusal.Refusal) {
	var c checked
	if int64(len(batches)) > r.segmentBytes {
		return c, refusal.New(kerr.RecordListTooLarge, "the batches are %d bytes and segment.bytes is %d", len(batches), r.segmentBytes)
	}
	for rest := batches; ; {
		batch, after, ok := record.Next(rest)
		if !ok {
			return c, malformed(rest)
		}
		if refused := r.checkBatch(batch, nowMs); refused != nil {
			return c, refused
		}
		c.records += int64(batch.RecordCount())
		if batch.ProducerID() >= 0 {
			if c.sequenced != nil {
				return c, refusal.New(kerr.InvalidRecord, "an append may have one batch of an idempotent producer, not several")
			}
			c.sequenced = batch
		}
		if len(after) == 0 {
			return c, nil
		}
		rest = after
	}
}

// malformed says why no batch begins at the head of b.
func malformed(b []byte) *refusal.Refusal {
	switch {
	case len(b) == 0:
		return refusal.New(kerr.InvalidRecord, "there is no record batch")
	case len(b) > 16 && b[16] < 2:
		return refusal.New(kerr.UnsupportedForMessageFormat, "message format %d is not supported; only 2 is", b[16])
	case len(b) > 16 && b[16] != 2:
		return refusal.New(kerr.InvalidRecord, "message format %d does not exist", b[16])
	}
	return refusal.New(kerr.CorruptMessage, "the length field of a batch does not fit the %d bytes that are there", len(b))
}

func (r *rules) checkBatch(b record.Batch, nowMs int64) *refusal.Refusal {
	if int64(len(b)) > int64(r.maxBytes) {
		return refusal.New(kerr.MessageTooLarge, "the batch is %d bytes and max.message.bytes is %d", len(b), r.maxBytes)
	}
	if !b.CRCValid() {
		return refusal.New(kerr.CorruptMessage, "the checksum of the batch is wrong")
	}
	if refused := checkHeader(b); refused != nil {
		return refused
	}
	if r.logAppendTime {
		if refused := r.checkRecords(b, nil); refused != nil {
			return refused
		}
		stampTime(b, nowMs)
		return nil
	}
	if b.LogAppendTime() {
		return refusal.New(kerr.InvalidTimestamp, "the batch has the timestamp type LogAppendTime, which only the broker sets")
	}
	times := &timeBounds{earliest: nowMs - r.beforeMaxMs, latest: saturatingAdd(nowMs, r.afterMaxMs)}
	if !times.allow(b.MaxTimestamp()) {
		return refusal.New(kerr.InvalidTimestamp, "timestamp %d is not within [%d, %d]", b.MaxTimestamp(), times.earliest, times.latest)
	}
	return r.checkRecords(b, times)
}

// checkHeader checks what the header says against itself.
func checkHeader(b record.Batch) *refusal.Refusal {
	count, last := b.RecordCount(), b.LastOffsetDelta()
	switch {
	case b.Control():
		return refusal.New(kerr.InvalidRecord, "clients may not write control batches")
	case b.HasDeleteHorizon():
		return refusal.New(kerr.InvalidRecord, "clients may not write batches with a delete horizon")
	case b.Compression() > maxCodec:
		return refusal.New(kerr.UnsupportedCompressionType, "compression %d does not exist", b.Compression())
	case b.BaseOffset() != 0:
		return refusal.New(kerr.InvalidRecord, "the base offset of the batch is %d and must be 0", b.BaseOffset())
	case count <= 0:
		return refusal.New(kerr.InvalidRecord, "the batch claims %d records", count)
	case last != count-1:
		return refusal.New(kerr.InvalidRecord, "the last offset delta is %d with %d records", last, count)
	case b.ProducerID() < -1:
		return refusal.New(kerr.InvalidRecord, "producer id %d is negative", b.ProducerID())
	case b.ProducerID() >= 0 && b.BaseSequence() < 0:
		return refusal.New(kerr.InvalidRecord, "producer %d sent the sequence number %d", b.ProducerID(), b.BaseSequence())
	case b.ProducerID() >= 0 && b.ProducerEpoch() < 0:
		return refusal.New(kerr.InvalidProducerEpoch, "producer %d sent the epoch %d", b.ProducerID(), b.ProducerEpoch())
	case b.ProducerID() < 0 && b.Transactional():
		return refusal.New(kerr.InvalidRecord, "a transactional batch needs a producer id")
	}
	return nil
}

// checkRecords walks the records where it can be done, or has to be: those of
// a compressed batch are opened only for a rule that the header cannot answer.
func (r *rules) checkRecords(b record.Batch, times *timeBounds) *refusal.Refusal {
	records := b.Records()
	if b.Compression() != 0 {
		if !r.compacted && (times == nil || r.beforeMaxMs == math.MaxInt64) {
			return nil
		}
		opened, err := r.decompress(b.Compression(), nil, records, r.budget)
		if err != nil {
			return refusal.New(kerr.CorruptMessage, "the records cannot be decompressed: %v", err)
		}
		records = opened
	}
	largest, refused := r.walk(b, records, times)
	if refused == nil && times != nil && largest != b.MaxTimestamp() {
		b.SetMaxTimestamp(largest)
		b.SetCRC()
	}
	return refused
}

// walk returns the largest timestamp of the records.
func (r *rules) walk(b record.Batch, records []byte, times *timeBounds) (int64, *refusal.Refusal) {
	var refused *refusal.Refusal
	largest, index, base := int64(-1), int32(0), b.BaseTimestamp()
	err := record.Walk(records, b.RecordCount(), func(rec record.Record) error {
		if refused = r.checkRecord(&rec, index, base, times); refused != nil {
			return refused
		}
		largest = max(largest, base+rec.TimestampDelta)
		index++
		return nil
	})
	if err != nil && refused == nil {
		refused = refusal.New(kerr.InvalidRecord, "%v", err)
	}
	return largest, refused
}

func (r *rules) checkRecord(rec *record.Record, index int32, base int64, times *timeBounds) *refusal.Refusal {
	if rec.OffsetDelta != index {
		return refusal.AtRecord(kerr.InvalidRecord, index, "record %d has the offset delta %d", index, rec.OffsetDelta)
	}
	if r.compacted && rec.Key == nil {
		return refusal.AtRecord(kerr.InvalidRecord, index, "record %d has no key, which a compacted topic needs", index)
	}
	if times != nil && !times.allow(base+rec.TimestampDelta) {
		return refusal.AtRecord(kerr.InvalidTimestamp, index, "timestamp %d of record %d is not within [%d, %d]",
			base+rec.TimestampDelta, index, times.earliest, times.latest)
	}
	return nil
}

// stampTime makes nowMs the time of every record of the batch.
func stampTime(b record.Batch, nowMs int64) {
	const logAppendTime = 0x08
	b.SetAttributes(b.Attributes() | logAppendTime)
	b.SetMaxTimestamp(nowMs)
	b.SetCRC()
}

type timeBounds struct{ earliest, latest int64 }

// allow lets through -1 too, a record without a timestamp.
func (t *timeBounds) allow(ms int64) bool { return ms == -1 || ms >= t.earliest && ms <= t.latest }

func saturatingAdd(a, b int64) int64 {
	if b > math.MaxInt64-a {
		return math.MaxInt64
	}
	return a + b
}
