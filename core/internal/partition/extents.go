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

// eachHeader visits the headers of the batches that begin in an extent, each
// once its base offset is sure to be right, which the CRC does not cover: it goes
// on from the batch before, or the one behind goes on from it.
func (p *Partition) eachHeader(e storage.Extent, visit func(record.Batch)) error {
	var buffers [2][record.HeaderSize]byte
	var before record.Batch // the last one, if it was not visited yet
	last := int64(-1)       // the offset up to which there are batches
	for at, n := int64(0), 0; at+record.HeaderSize <= e.Length; n++ {
		b, err := p.headerAt(e, at, buffers[n%2][:])
		if err != nil {
			return err
		}
		if b.BaseOffset() <= last {
			return storage.ErrCorrupt.With("batch at position %d of %s is of offset %d, and the one before it ends at %d",
				e.Position+at, e.File.Path, b.BaseOffset(), last)
		}
		if before != nil {
			visit(before)
		}
		if at += int64(b.Size()); at > e.Length {
			return nil
		}
		before = b
		if b.BaseOffset() == last+1 {
			visit(b)
			before = nil
		}
		last = b.LastOffset()
	}
	if before != nil {
		visit(before)
	}
	return nil
}

// headerAt reads the header of the batch at a place in an extent into buffer, if
// the bytes are not there.
func (p *Partition) headerAt(e storage.Extent, at int64, buffer []byte) (record.Batch, error) {
	if e.Data != nil {
		buffer = e.Data[at : at+record.HeaderSize]
	} else if err := p.readAt(buffer, e.File, e.Position+at); err != nil {
		return nil, err
	}
	b := record.Batch(buffer)
	if b.Magic() != 2 || b.Size() < record.HeaderSize || b.LastOffsetDelta() < 0 {
		return nil, storage.ErrCorrupt.With("no batch at position %d of %s", e.Position+at, e.File.Path)
	}
	return b, nil
}
