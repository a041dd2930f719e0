package segment

import (
	"context"
	"fmt"
	"testing"

	"odradek.dev/sdk/clock"
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/record"
	"odradek.dev/sdk/record/recordtest"
	"odradek.dev/sdk/storage"
	"odradek.dev/sdk/vfs"
)

func benchLog(b *testing.B) storage.Log {
	e := newEngine(module.Env{Clock: clock.Real(), FS: vfs.OS(), Node: 1}, Defaults())
	dir := b.TempDir()
	if _, err := e.Mount(context.Background(), storage.Mount{Dir: dir}); err != nil {
		b.Fatal(err)
	}
	log, _, err := e.Open(context.Background(), storage.Open{Dir: dir, ID: topic, Config: storage.Config{
		SegmentBytes: 256 << 20, IndexIntervalBytes: 4096,
	}})
	if err != nil {
		b.Fatal(err)
	}
	return log
}

func batchOf(size int) record.Batch {
	return recordtest.Batch(recordtest.Spec{Records: recordtest.Values(1000, string(make([]byte, size-record.HeaderSize-12)))})
}

// appendNext appends at offset and drops what is old enough that the disk
// does not fill up.
func appendNext(b *testing.B, log storage.Log, batch record.Batch, offset int64) {
	batch.SetBaseOffset(offset)
	a, err := log.Append(context.Background(), storage.Append{Batches: batch, Now: 1000})
	if err != nil {
		b.Fatal(err)
	}
	if a.Rolled > 0 {
		if err := log.Trim(context.Background(), a.Rolled); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAppend(b *testing.B) {
	for _, size := range []int{1 << 10, 64 << 10} {
		b.Run(fmt.Sprintf("%dKiB", size>>10), func(b *testing.B) {
			log, batch := benchLog(b), batchOf(size)
			b.SetBytes(int64(len(batch)))
			b.ReportAllocs()
			for offset := int64(0); b.Loop(); offset++ {
				appendNext(b, log, batch, offset)
			}
		})
	}
}

func BenchmarkReadTail(b *testing.B) {
	log, batch := benchLog(b), batchOf(1<<10)
	for offset := range int64(10_000) {
		appendNext(b, log, batch, offset)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := log.Read(context.Background(), storage.Read{Offset: 9_998, Before: 10_000, MaxBytes: 1 << 20}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkReadOld(b *testing.B) {
	log, batch := benchLog(b), batchOf(1<<10)
	for offset := range int64(100_000) {
		appendNext(b, log, batch, offset)
	}
	b.ReportAllocs()
	for offset := int64(0); b.Loop(); offset = (offset + 7919) % 90_000 {
		if _, err := log.Read(context.Background(), storage.Read{Offset: offset, Before: 100_000, MaxBytes: 1 << 20}); err != nil {
			b.Fatal(err)
		}
	}
}
