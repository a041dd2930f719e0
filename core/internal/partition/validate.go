package partition

import (
	"slices"

	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/core/internal/refusal"
	"odradek.dev/sdk/record"
)

// rules is what bears on a batch of a topic's configuration.
type rules struct {
	maxBytes      int32       // max.message.bytes
	segmentBytes  int64       // segment.bytes
	logAppendTime bool        // message.timestamp.type
	beforeMaxMs   int64       // message.timestamp.before.max.ms
	afterMaxMs    int64       // message.timestamp.after.max.ms
	compacted     bool        // cleanup.policy has compact
	compression   compression // compression.type

	codecs *codecs
	// budget bounds what one batch may decompress to.
	budget int
}

// checked is what validation found of the batches of one append.
type checked struct {
	// batches are those that came, or in their place such as the topic's
	// compression.type wants.
	batches []byte
	records int64
	// sequenced is the batch of an idempotent producer, nil if there is none.
	// An append has at most one.
	sequenced record.Batch
}

const maxCodec = 4

// check validates whole batches from a client, and makes of them what the
// topic's configuration says: with the broker's timestamps, in its codec. It
// neither knows nor changes the log. What does not survive it must not be
// appended. Of several faults it finds the one first that Kafka does.
func (r *rules) check(batches []byte, nowMs int64) (checked, *refusal.Refusal) {
	c := checked{batches: batches}
	sequenced := -1
	for at := 0; at < len(c.batches) || at == 0; {
		batch, rest, ok := record.Next(c.batches[at:])
		if !ok {
			return c, malformed(c.batches[at:])
		}
		stored, refused := r.accept(batch, nowMs)
		if refused != nil {
			return c, refused
		}
		if &stored[0] != &batch[0] {
			c.replace(at, stored, rest)
		}
		c.records += int64(stored.RecordCount())
		if stored.ProducerID() >= 0 {
			if sequenced >= 0 {
				return c, refusal.New(kerr.InvalidRecord, "an append may have one batch of an idempotent producer, not several")
			}
			sequenced = at
		}
		at += len(stored)
	}
	if int64(len(c.batches)) > r.segmentBytes {
		return c, refusal.New(kerr.RecordListTooLarge, "the batches are %d bytes and segment.bytes is %d", len(c.batches), r.segmentBytes)
	}
	if sequenced >= 0 {
		c.sequenced, _, _ = record.Next(c.batches[sequenced:])
	}
	return c, nil
}

// replace puts another batch in the place of the one at at. Mostly it is the
// only one.
func (c *checked) replace(at int, batch record.Batch, rest []byte) {
	if at == 0 && len(rest) == 0 {
		c.batches = batch
		return
	}
	c.batches = slices.Concat(c.batches[:at], batch, rest)
}

// malformed says why no batch begins at the head of b.
func malformed(b []byte) *refusal.Refusal {
	switch {
	case len(b) == 0:
		return refusal.New(kerr.InvalidRecord, "there is no record batch")
	case len(b) > 16 && b[16] < 2:
		return refusal.New(kerr.InvalidRecord, "message format %d is not supported; only 2 is", b[16])
	case len(b) > 16 && b[16] != 2:
		return refusal.New(kerr.CorruptMessage, "message format %d does not exist", int8(b[16]))
	case len(b) > 16 && record.Batch(b).BaseOffset() != 0:
		return wrongBase(b)
	}
	return refusal.New(kerr.CorruptMessage, "the length field of a batch does not fit the %d bytes that are there", len(b))
}

func wrongBase(b record.Batch) *refusal.Refusal {
	return refusal.New(kerr.InvalidRecord, "the base offset of the batch is %d and must be 0", b.BaseOffset())
}

// accept checks one batch. What it returns is the batch, changed in place, or
// another one to be stored instead.
func (r *rules) accept(b record.Batch, nowMs int64) (record.Batch, *refusal.Refusal) {
	switch {
	case b.BaseOffset() != 0:
		return nil, wrongBase(b)
	case int64(len(b)) > int64(r.maxBytes):
		return nil, r.tooLarge(len(b))
	case !b.CRCValid():
		return nil, refusal.New(kerr.CorruptMessage, "the checksum of the batch is wrong")
	}
	if refused := checkHeader(b); refused != nil {
		return nil, refused
	}
	open, err := r.codecs.open(b, r.budget)
	if err != nil {
		return nil, codecRefusal(err)
	}
	defer r.codecs.close(open)
	largest, refused := r.checkRecords(b, open.records, nowMs)
	if refused != nil {
		return nil, refused
	}
	if r.logAppendTime {
		largest = nowMs
	}
	if !r.compression.keeps(b) {
		return r.recompress(b, open.records, largest)
	}
	if b.LogAppendTime() != r.logAppendTime || b.MaxTimestamp() != largest {
		b.SetTimes(r.logAppendTime, largest)
		b.SetCRC()
	}
	return b, nil
}

func (r *rules) tooLarge(size int) *refusal.Refusal {
	return refusal.New(kerr.MessageTooLarge, "the batch is %d bytes and max.message.bytes is %d", size, r.maxBytes)
}

// checkHeader checks what the header says against itself. A producer id below
// -1 is none, and a delete horizon is let through, as by Kafka.
func checkHeader(b record.Batch) *refusal.Refusal {
	count, last := b.RecordCount(), b.LastOffsetDelta()
	switch {
	case b.Compression() > maxCodec:
		return refusal.New(kerr.UnsupportedCompressionType, "compression %d does not exist", b.Compression())
	case count <= 0:
		return refusal.New(kerr.InvalidRecord, "the batch claims %d records", count)
	case last != count-1:
		return refusal.New(kerr.InvalidRecord, "the last offset delta is %d with %d records", last, count)
	case b.Control():
		return refusal.New(kerr.InvalidRecord, "clients may not write control batches")
	case b.ProducerID() >= 0 && b.BaseSequence() < 0:
		return refusal.New(kerr.InvalidRecord, "producer %d sent the sequence number %d", b.ProducerID(), b.BaseSequence())
	case b.ProducerID() < 0 && b.Transactional():
		return refusal.New(kerr.InvalidRecord, "a transactional batch needs a producer id")
	}
	return nil
}
