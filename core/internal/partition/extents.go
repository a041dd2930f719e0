package partition

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"odradek.dev/sdk/record"
	"odradek.dev/sdk/storage"
)

// appendChunk reads the bytes of a chunk behind dst.
func (p *Partition) appendChunk(dst []byte, c storage.Chunk) ([]byte, error) {
	for _, e := range c.Extents {
		if e.Data != nil {
			dst = append(dst, e.Data...)
			continue
		}
		at := len(dst)
		dst = slices.Grow(dst, int(e.Length))[:at+int(e.Length)]
		if err := p.readAt(dst[at:], e.File, e.Position); err != nil {
			return dst[:at], err
		}
	}
	return dst, nil
}

// isGone reports whether a read came too late for a file that the log named:
// compaction has replaced it or retention removed it. Where the batches are now,
// the log says when it is asked once more.
func isGone(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// Open borrows the file of an extent of this partition.
func (p *Partition) Open(f storage.File) (*OpenFile, error) { return p.host.files.Acquire(p, f) }

func (p *Partition) readAt(b []byte, f storage.File, at int64) error {
	file, err := p.Open(f)
	if err != nil {
		return err
	}
	defer file.Release()
	if _, err := io.ReadFull(io.NewSectionReader(file, at, int64(len(b))), b); err != nil {
		return fmt.Errorf("read %s at %d: %w", f.Path, at, err)
	}
	return nil
}

// eachHeader visits the headers of the batches that begin in an extent.
func (p *Partition) eachHeader(e storage.Extent, visit func(record.Batch)) error {
	var buffer [record.HeaderSize]byte
	for at := int64(0); at+record.HeaderSize <= e.Length; {
		header := buffer[:]
		if e.Data != nil {
			header = e.Data[at : at+record.HeaderSize]
		} else if err := p.readAt(header, e.File, e.Position+at); err != nil {
			return err
		}
		b := record.Batch(header)
		if b.Magic() != 2 || b.Size() < record.HeaderSize || b.LastOffsetDelta() < 0 {
			return storage.ErrCorrupt.With("no batch at position %d of %s", e.Position+at, e.File.Path)
		}
		if at+int64(b.Size()) > e.Length {
			return nil
		}
		visit(b)
		at += int64(b.Size())
	}
	return nil
}
