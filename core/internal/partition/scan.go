package partition

import (
	"fmt"

	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/sdk/module"
	"odradek.dev/sdk/record"
	"odradek.dev/sdk/storage"
)

// scanBytes is how much of a log is read at a time.
const scanBytes = 1 << 20

// Scan visits the records that readers may see, from the one at offset, in
// order, with their offsets, and returns the offset after the last. Keys and
// values are valid during the visit only. Records of control batches are passed
// over. damaged is told of what is not as it was written, and the scan goes on
// behind it. An error of visit or of damaged ends the scan.
func (p *Partition) Scan(offset int64, visit func(offset int64, r record.Record) error, damaged func(Damage) error) (end int64, err error) {
	s := scanner{partition: p, next: offset, visit: visit, damaged: damaged}
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
	began   bool
	visit   func(int64, record.Record) error
	damaged func(Damage) error
	// chunk is where raw was read from, and rest what of raw is still to be visited.
	chunk     storage.Chunk
	raw, rest []byte
	open      []byte
}

// read visits the whole batches of one read, up to one that is damaged.
func (s *scanner) read() error {
	end := s.partition.HighWatermark()
	if len(s.rest) == 0 {
		var err error
		if end, err = s.fill(); isGone(err) {
			end, err = s.fill()
		}
		if err != nil {
			return s.passOver(err, end)
		}
	}
	began := s.next
	for {
		batch, after, ok := record.Next(s.rest)
		if !ok {
			break
		}
		if err := s.check(batch, end); err != nil {
			return s.passOver(err, end)
		}
		if err := s.batch(batch); err != nil {
			return err
		}
		s.rest = after
	}
	s.rest = nil
	if s.next == began {
		return s.passOver(storage.ErrCorrupt.With("the log has no whole batch at offset %d, and its high watermark is %d", began, end), end)
	}
	return nil
}

// fill reads what comes next and returns the high watermark.
func (s *scanner) fill() (end int64, err error) {
	found := s.partition.Read(s.next, AnyEpoch, scanBytes)
	switch {
	case found.Refusal == nil:
	case found.Refusal.Kind == kerr.CorruptMessage:
		return found.HighWatermark, storage.ErrCorrupt.With("%s", found.Refusal.Error())
	default:
		return 0, found.Refusal
	}
	return found.HighWatermark, s.take(found.Chunk)
}

func (s *scanner) take(c storage.Chunk) (err error) {
	s.chunk = c
	s.raw, err = s.partition.appendChunk(s.raw[:0], c)
	s.rest = s.raw
	return err
}

// check refuses a batch that is not what was written: the CRC covers all but the
// base offset, which neither comes before that of the batch before nor goes beyond
// the high watermark. The first batch of a scan may hold the offset to begin with.
func (s *scanner) check(b record.Batch, end int64) error {
	switch {
	case !b.CRCValid():
		return storage.ErrCorrupt.With("batch %d to %d is damaged: its CRC does not fit%s", b.BaseOffset(), b.LastOffset(), s.place())
	case s.began && b.BaseOffset() < s.next, b.LastOffset() < s.next, b.LastOffset() >= end:
		return storage.ErrCorrupt.With("batch %d to %d is damaged: it cannot be between offset %d and the high watermark %d%s",
			b.BaseOffset(), b.LastOffset(), s.next, end, s.place())
	}
	return nil
}

// batch visits the records of a batch whose header is right.
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
		s.open, err = p.host.Decompress(b.Compression(), s.open[:0], records, p.settings.Load().rules.budget)
		if err != nil && module.ClassOf(err) == module.Invalid {
			return s.lost(b, from, err)
		}
		if err != nil {
			return err
		}
		records = s.open
	}
	var stopped error
	err := record.Walk(records, b.RecordCount(), func(r record.Record) error {
		if offset := b.BaseOffset() + int64(r.OffsetDelta); offset >= from {
			stopped = s.visit(offset, r)
		}
		return stopped
	})
	if err != nil && stopped == nil {
		return s.lost(b, from, err)
	}
	return err
}
