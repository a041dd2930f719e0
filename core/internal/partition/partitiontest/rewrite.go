package partitiontest

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"

	"odradek.dev/sdk/record"
	"odradek.dev/sdk/storage"
)

// Rewrite implements [storage.Log]. The log goes on in another file.
func (l *Log) Rewrite(_ context.Context, r storage.Rewrite) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return storage.ErrClosed
	}
	if r.First {
		l.rewritten = nil
	}
	l.rewritten = append(l.rewritten, r.Batches...)
	if !r.Last {
		return nil
	}
	if r.To > l.durable || r.From >= r.To {
		return fmt.Errorf("rewrite from %d to %d of a log that is durable up to %d", r.From, r.To, l.durable)
	}
	l.Rewritten++
	l.compacted = max(l.compacted, r.Compacted)
	if l.engine.AfterRewrite != nil {
		defer l.engine.AfterRewrite()
	}
	return l.replace(r.From, r.To)
}

func (l *Log) replace(from, to int64) error {
	old := make([]byte, l.size)
	if _, err := l.file.ReadAt(old, 0); err != nil {
		return err
	}
	content := append([]byte(nil), old[:l.before(from)]...)
	content = append(append(content, l.rewritten...), old[l.before(to):]...)
	file, err := os.CreateTemp(l.dir, "rewritten")
	if err != nil {
		return err
	}
	if _, err := file.WriteAt(content, 0); err != nil {
		return err
	}
	if err := l.file.Close(); err != nil {
		return err
	}
	l.file, l.size, l.batches, l.rewritten = file, 0, nil, nil
	l.fileID += 1 << 32
	for rest := content; len(rest) > 0; {
		b, after, ok := record.Next(rest)
		if !ok {
			return fmt.Errorf("rewrite from %d to %d has no whole batch at %d", from, to, l.size)
		}
		l.batches = append(l.batches, batch{Batch: append(record.Batch(nil), b[:record.HeaderSize]...), at: l.size})
		l.size += int64(len(b))
		rest = after
	}
	kept := l.bases[:0]
	for _, base := range l.bases {
		if base <= from || base >= to {
			kept = append(kept, base)
		}
	}
	l.bases = kept
	return nil
}

// Damage turns the last byte of the batch around.
func (l *Log) Damage(batch int) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	at := l.batches[batch].at + int64(l.batches[batch].Size()) - 1
	var last [1]byte
	if _, err := l.file.ReadAt(last[:], at); err != nil {
		return err
	}
	last[0] ^= 0xff
	_, err := l.file.WriteAt(last[:], at)
	return err
}

// Misplace writes another base offset into a batch, which its CRC does not cover.
func (l *Log) Misplace(batch int, base int64) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, err := l.file.WriteAt(binary.BigEndian.AppendUint64(nil, uint64(base)), l.batches[batch].at)
	return err
}
