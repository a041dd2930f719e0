package partition

import (
	"errors"
	"fmt"

	"odradek.dev/sdk/record"
	"odradek.dev/sdk/storage"
)

// Damage is a run of offsets whose records are not as they were written, or that
// cannot be opened here. None of them is known to have been a record.
type Damage struct {
	First, Last int64
	// Err says what is wrong, and where as far as that is known.
	Err error
}

// passOver goes on behind what is damaged at the next offset, if err says that
// something is. end is the high watermark.
func (s *scanner) passOver(err error, end int64) error {
	if !errors.Is(err, storage.ErrCorrupt) {
		return err
	}
	d := Damage{First: s.next, Err: err}
	intact, readErr := s.findIntact(end)
	if readErr != nil {
		return fmt.Errorf("%w, and what follows cannot be read: %w", err, readErr)
	}
	d.Last = intact - 1
	s.next, s.began = intact, true
	return s.damaged(d)
}

// findIntact looks for the first intact batch behind what is damaged at the next
// offset, and returns its offset; end if there is none. What is read of the log
// begins with it then.
func (s *scanner) findIntact(end int64) (int64, error) {
	p := s.partition
	for at := s.next; at < end; {
		chunk, err := p.log.Read(p.host.ctx(), storage.Read{Offset: at, Before: end, MaxBytes: scanBytes, PastDamage: true})
		if err == nil {
			err = s.take(chunk)
		}
		if err != nil {
			return 0, err
		}
		at++
		for {
			b, after, ok := record.Next(s.rest)
			if !ok {
				break
			}
			if b.CRCValid() && b.BaseOffset() >= s.next && b.LastOffset() < end {
				return b.BaseOffset(), nil
			}
			// A header of a damaged batch is believed as far as it can be.
			if behind := b.LastOffset() + 1; behind > at && behind < end {
				at = behind
			}
			s.rest = after
		}
	}
	s.rest = nil
	return end, nil
}

// lost tells of a batch whose header is right, and whose records are not.
func (s *scanner) lost(b record.Batch, from int64, err error) error {
	err = fmt.Errorf("the records of batch %d to %d cannot be read%s: %w", b.BaseOffset(), b.LastOffset(), s.place(), err)
	return s.damaged(Damage{First: max(from, b.BaseOffset()), Last: b.LastOffset(), Err: err})
}

// place says in which file, and where, the batch is that comes next.
func (s *scanner) place() string {
	at := int64(len(s.raw) - len(s.rest))
	for _, e := range s.chunk.Extents {
		if at < e.Length && e.Data == nil {
			return fmt.Sprintf(", at position %d of %s", e.Position+at, e.File.Path)
		}
		at -= e.Length
	}
	return ""
}
