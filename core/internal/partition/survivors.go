package partition

import (
	"fmt"

	"odradek.dev/sdk/record"
)

// survivors decides which records a pass of compaction keeps, and makes the
// batches that they are in then.
type survivors struct {
	newest                   *newestOffsets
	nowMs, deleteRetentionMs int64
	// lastOf is the last offset of the newest batch of each live producer, by
	// producer id. Such a batch stays, if only its header, since it has the
	// producer's sequence number.
	lastOf map[int64]int64
	codecs *codecs
	// levels are those that batches are compressed with again, each in the codec
	// that it came in.
	levels levels
	// budget bounds what a batch may decompress to.
	budget int

	// horizonMs is the earliest at which a tombstone that was kept may go.
	horizonMs int64
	// keep says of each record of a batch whether it stays. It is reused.
	keep []bool
	// records is the encoding of those that do, reused.
	records []byte
}

// chosen is what stays of a batch.
type chosen struct {
	records, tombstones int32
	// maxMs is the largest timestamp.
	maxMs int64
}

// appendKept appends to dst what stays of b. A needed batch stays though none
// of its records does.
func (s *survivors) appendKept(dst []byte, b record.Batch, needed bool) ([]byte, error) {
	if b.Control() || b.Transactional() || b.BaseOffset() >= s.newest.upTo {
		return append(dst, b...), nil
	}
	opened, err := s.codecs.open(b, s.budget)
	if err != nil {
		return dst, fmt.Errorf("decompress the batch at offset %d: %w", b.BaseOffset(), err)
	}
	defer s.codecs.close(opened)
	c, err := s.choose(b, opened.records)
	if err != nil {
		return dst, err
	}
	horizon := b.BaseTimestamp()
	sets := c.tombstones > 0 && !b.HasDeleteHorizon()
	if sets {
		horizon = saturatingAdd(s.nowMs, s.deleteRetentionMs)
	}
	if c.tombstones > 0 {
		s.horizonMs = min(s.horizonMs, horizon)
	}
	last, lives := s.lastOf[b.ProducerID()]
	switch {
	case c.records == 0 && !needed && !(lives && last == b.LastOffset()):
		return dst, nil
	case c.records == 0:
		return b.AppendRebuilt(dst, record.Contents{BaseTimestamp: -1, MaxTimestamp: -1}), nil
	case c.records == b.RecordCount() && !sets:
		return append(dst, b...), nil
	}
	return s.appendChosen(dst, b, opened.records, c, horizon, sets || b.HasDeleteHorizon())
}

// choose goes by Kafka's rules: of each key the newest record stays, and a
// tombstone until the delete horizon of its batch, which it gets when it is
// compacted first. Records without a key go: they are from before the topic was
// compacted.
func (s *survivors) choose(b record.Batch, records []byte) (chosen, error) {
	c := chosen{maxMs: -1}
	over := b.HasDeleteHorizon() && s.nowMs >= b.BaseTimestamp()
	s.keep = s.keep[:0]
	err := record.Walk(records, b.RecordCount(), func(r record.Record) error {
		offset := b.BaseOffset() + int64(r.OffsetDelta)
		unseen := offset >= s.newest.upTo
		stays := unseen || r.Key != nil && s.newest.newest(r.Key, offset) && (r.Value != nil || !over)
		s.keep = append(s.keep, stays)
		if !stays {
			return nil
		}
		c.records++
		if r.Value == nil && !unseen {
			c.tombstones++
		}
		c.maxMs = max(c.maxMs, b.BaseTimestamp()+r.TimestampDelta)
		return nil
	})
	if b.LogAppendTime() {
		c.maxMs = b.MaxTimestamp()
	}
	return c, err
}

// appendChosen makes a batch of the records that keep says. With a delete
// horizon, timestamps count from that.
func (s *survivors) appendChosen(dst []byte, b record.Batch, records []byte, c chosen, base int64, horizon bool) ([]byte, error) {
	s.records = s.records[:0]
	i := 0
	err := record.Walk(records, b.RecordCount(), func(r record.Record) error {
		if s.keep[i] {
			r.TimestampDelta += b.BaseTimestamp() - base
			s.records = record.AppendRecord(s.records, r)
		}
		i++
		return nil
	})
	if err != nil {
		return dst, err
	}
	contents := record.Contents{Records: s.records, Count: c.records, BaseTimestamp: base, MaxTimestamp: c.maxMs, DeleteHorizon: horizon}
	if b.Compression() != 0 {
		if contents.Records, err = s.codecs.compress(b.Compression(), nil, s.records, s.levels.of(b.Compression())); err != nil {
			return dst, fmt.Errorf("compress what is kept of the batch at offset %d: %w", b.BaseOffset(), err)
		}
		contents.Compression = b.Compression()
	}
	return b.AppendRebuilt(dst, contents), nil
}
