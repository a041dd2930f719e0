package partition

import (
	"fmt"

	"odradek.dev/sdk/record"
	"odradek.dev/sdk/storage"
)

// scanBytes is how much of a log is read at a time.
const scanBytes = 1 << 20

// Scan visits the records that readers may see, from the one at offset, in
// order, with their offsets, and returns the offset after the last. Keys and
// values are valid during the visit only. Records of control batches are passed
// over. An error of visit ends the scan, and so does a batch that is damaged or
// whose offsets cannot be.
func (p *Partition) Scan(offset int64, visit func(offset int64, r record.Record) error) (end int64, err error) {
	s := scanner{partition: p, next: offset, visit: visit}
	for end := p.HighWatermark(); s.next < end; end = p.HighWatermark() {
		if err := s.read(); err != nil {
			return s.next, fmt.Errorf("scan partition %d of topic %q at offset %d: %w", p.id.Partition, p.id.Topic, s.next, err)
		}
	}
	return s.next, nil
}

// scanner reuses its buffers from read to read.
type scanner struct {
	partition *Partition
	next      int64
	// began is set once a batch was read.
	began     bool
	visit     func(int64, record.Record) error
	raw, open []byte
}

// read visits the whole batches of one read.
func (s *scanner) read() error {
	end, err := s.fill()
	if isGone(err) {
		end, err = s.fill()
	}
	if err != nil {
		return err
	}
	began := s.next
	for rest := s.raw; ; {
		batch, after, ok := record.Next(rest)
		if !ok {
			break
		}
		if err := s.check(batch, end); err != nil {
			return err
		}
		if err := s.batch(batch); err != nil {
			return err
		}
		rest = after
	}
	if s.next == began {
		return fmt.Errorf("the log has no whole batch there, and its high watermark is %d", end)
	}
	return nil
}

// fill reads what comes next and returns the high watermark.
func (s *scanner) fill() (end int64, err error) {
	found := s.partition.Read(s.next, AnyEpoch, scanBytes)
	if found.Refusal != nil {
		return 0, found.Refusal
	}
	s.raw, err = s.partition.appendChunk(s.raw[:0], found.Chunk)
	return found.HighWatermark, err
}

// check refuses a batch that is not what was written: the CRC covers all but the
// base offset, which neither comes before that of the batch before nor goes beyond
// the high watermark. The first batch of a scan may hold the offset to begin with.
func (s *scanner) check(b record.Batch, end int64) error {
	switch {
	case !b.CRCValid():
		return storage.ErrCorrupt.With("batch %d to %d is damaged: its CRC does not fit", b.BaseOffset(), b.LastOffset())
	case s.began && b.BaseOffset() < s.next, b.LastOffset() < s.next, b.LastOffset() >= end:
		return storage.ErrCorrupt.With("batch %d to %d is damaged: it cannot be between offset %d and the high watermark %d",
			b.BaseOffset(), b.LastOffset(), s.next, end)
	}
	return nil
}

func (s *scanner) batch(b record.Batch) error {
	from := s.next
	s.next, s.began = b.LastOffset()+1, true
	if b.Control() {
		return nil
	}
	records := b.Records()
	if b.Compression() != 0 {
		var err error
		p := s.partition
		if s.open, err = p.host.Decompress(b.Compression(), s.open[:0], records, p.settings.Load().rules.budget); err != nil {
			return err
		}
		records = s.open
	}
	return record.Walk(records, b.RecordCount(), func(r record.Record) error {
		offset := b.BaseOffset() + int64(r.OffsetDelta)
		if offset < from {
			return nil
		}
		return s.visit(offset, r)
	})
}
