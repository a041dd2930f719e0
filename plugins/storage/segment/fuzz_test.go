package segment

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"odradek.dev/sdk/clock"
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/record"
	"odradek.dev/sdk/storage"
	"odradek.dev/sdk/vfs"
)

// folderWith makes a directory as a crash might leave it, with the files of
// one log given by their names.
func folderWith(t *testing.T, content map[string][]byte) *vfs.Mem {
	disk := vfs.NewMem()
	if err := disk.MkdirAll("/data/orders-0", 0o755); err != nil {
		t.Fatal(err)
	}
	for name, bytes := range content {
		if err := writeFile(disk, "/data/orders-0/"+name, bytes); err != nil {
			t.Fatal(err)
		}
	}
	return disk
}

// openAnything opens what may be anything and reads all of it. Reads give
// whole batches, or say that the log is corrupt there. checked says that the CRCs
// of batches are right too.
func openAnything(t *testing.T, disk *vfs.Mem, checked bool) {
	e := newEngine(module.Env{Clock: clock.NewFake(time.UnixMilli(1)), FS: disk, Node: 1}, Defaults())
	if _, err := e.Mount(t.Context(), storage.Mount{Dir: "/data", ClusterID: "c", Node: 1}); err != nil {
		t.Fatal(err)
	}
	log, _, err := e.Open(t.Context(), storage.Open{Dir: "/data", ID: topic, Config: small()})
	if err != nil {
		t.Fatal(err)
	}
	bounds, err := log.Bounds(t.Context())
	if err != nil || bounds.Start > bounds.End || bounds.Durable > bounds.End {
		t.Fatalf("bounds %+v, %v", bounds, err)
	}
	for offset, steps := bounds.Start, 0; offset < bounds.End && steps < 1000; steps++ {
		chunk, err := log.Read(t.Context(), storage.Read{Offset: offset, Before: bounds.End, MaxBytes: 1})
		if errors.Is(err, storage.ErrCorrupt) {
			offset++
			continue
		}
		if err != nil {
			t.Fatalf("offset %d: %v", offset, err)
		}
		b, rest, ok := record.Next(bytesOf(t, disk, chunk))
		if !ok || len(rest) > 0 || checked && !b.CRCValid() || b.LastOffset() < offset {
			t.Fatalf("offset %d of %+v is answered with %x", offset, bounds, b)
		}
		offset = b.LastOffset() + 1
	}
	for _, before := range []int64{bounds.End, bounds.End / 2} {
		if _, _, err := log.SeekTime(t.Context(), 1000, before); err != nil && !errors.Is(err, storage.ErrCorrupt) {
			t.Fatal(err)
		}
		if _, _, err := log.MaxTime(t.Context(), before); err != nil && !errors.Is(err, storage.ErrCorrupt) {
			t.Fatal(err)
		}
	}
	if _, err := log.Segments(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := log.Append(t.Context(), storage.Append{Batches: batchFor(bounds.End, 1, 1)}); err != nil {
		t.Fatal(err)
	}
	if err := e.Unmount(t.Context(), "/data"); err != nil {
		t.Fatal(err)
	}
}

func FuzzLogFile(f *testing.F) {
	three := slices.Concat(batchFor(0, 0, 1), batchFor(1, 0, 3), batchFor(4, 2, 1))
	f.Add([]byte(three), []byte{})
	f.Add([]byte(three[:len(three)-9]), []byte(batchFor(5, 0, 1)))
	f.Add(append(make([]byte, 600), three...), []byte{1})
	f.Fuzz(func(t *testing.T, first, second []byte) {
		openAnything(t, folderWith(t, map[string][]byte{
			offsetName(0, logSuffix): first, offsetName(5, logSuffix): second,
		}), true)
	})
}

// A clean stop is where batches are not checked, but still looked for.
func FuzzLogFileOfACleanStop(f *testing.F) {
	three := slices.Concat(batchFor(0, 0, 1), batchFor(1, 0, 3), batchFor(4, 2, 1))
	f.Add([]byte(three), []byte{})
	f.Add([]byte(three[:len(three)-9]), []byte(batchFor(5, 0, 1)))
	f.Add(append(make([]byte, 30), three...), slices.Concat([]byte(batchFor(5, 0, 1)), []byte{1}, []byte(batchFor(6, 0, 2))))
	f.Fuzz(func(t *testing.T, first, second []byte) {
		disk := folderWith(t, map[string][]byte{
			offsetName(0, logSuffix): first, offsetName(0, indexSuffix): {}, offsetName(0, timeIndexSuffix): {},
			offsetName(5, logSuffix): second, offsetName(5, indexSuffix): {}, offsetName(5, timeIndexSuffix): {},
		})
		if err := writeFile(disk, "/data/"+cleanShutdownFile, []byte("{}")); err != nil {
			t.Fatal(err)
		}
		openAnything(t, disk, false)
	})
}

func FuzzIndexFiles(f *testing.F) {
	log := slices.Concat(batchFor(0, 0, 1), batchFor(1, 0, 3), batchFor(4, 2, 1))
	f.Add([]byte{0, 0, 0, 3, 0, 0, 0, 80}, []byte{0, 0, 0, 0, 0, 0, 3, 0xe8, 0, 0, 0, 0})
	f.Add([]byte{0, 0, 0, 3, 0xff, 0, 0, 0}, []byte{1})
	f.Fuzz(func(t *testing.T, offsets, times []byte) {
		disk := folderWith(t, map[string][]byte{
			offsetName(0, logSuffix): log, offsetName(0, indexSuffix): offsets, offsetName(0, timeIndexSuffix): times,
			offsetName(5, logSuffix): batchFor(5, 3, 2), offsetName(5, indexSuffix): offsets, offsetName(5, timeIndexSuffix): times,
		})
		// A clean stop is where the indexes are believed.
		if err := writeFile(disk, "/data/"+cleanShutdownFile, []byte("{}")); err != nil {
			t.Fatal(err)
		}
		openAnything(t, disk, true)
	})
}

func FuzzSmallFiles(f *testing.F) {
	f.Add([]byte("0\n1\norders 0 3\n"))
	f.Add([]byte("0\n1\n3 4\n"))
	f.Add([]byte("0\n1\n0 10 20 1 2\n"))
	f.Add([]byte("version: 0\ntopic_id: AQIDAAAAAAAAAAAAAAAAAA"))
	f.Fuzz(func(t *testing.T, content []byte) {
		if o, err := decodeOffsets(content); err == nil && len(o) > 0 {
			again, err := decodeOffsets(o.encode())
			if err != nil || len(again) != len(o) {
				t.Fatalf("%v comes back as %v, %v", o, again, err)
			}
		}
		disk := folderWith(t, map[string][]byte{
			offsetName(0, logSuffix): batchFor(0, 0, 3), epochsFile: content, damageFile: content, metadataFile: content, hardFile: content,
		})
		e := newEngine(module.Env{Clock: clock.NewFake(time.UnixMilli(1)), FS: disk, Node: 1}, Defaults())
		for _, name := range []string{recoveryPointsFile, startOffsetsFile} {
			if err := writeFile(disk, "/data/"+name, content); err != nil {
				t.Fatal(err)
			}
		}
		m, err := e.Mount(t.Context(), storage.Mount{Dir: "/data", ClusterID: "c", Node: 1})
		if err != nil {
			t.Fatal(err)
		}
		log, _, err := e.Open(t.Context(), storage.Open{Dir: "/data", ID: m.Logs[0], Config: small()})
		if err != nil {
			t.Fatal(err)
		}
		if hard, err := log.LoadHard(t.Context()); err == nil && crc32.Checksum(hard, castagnoli) != binary.BigEndian.Uint32(content) {
			t.Fatalf("hard state %x out of %x", hard, content)
		}
		_, _ = decodeProperties(content)
	})
}

// A checkpoint that is refused takes no multiple of its size, whatever it
// claims.
func TestARefusedCheckpointIsCheap(t *testing.T) {
	lines := strings.Repeat("\n", 1<<20)
	for _, content := range []string{"0\n2147483647\n", "0\n1048576\n" + lines, lines, "0\n" + strings.Repeat("9", 1<<20)} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := decodeCheckpoint([]byte(content), 3)
		runtime.ReadMemStats(&after)
		if err == nil || len(err.Error()) > 300 {
			t.Fatalf("%.20q gives %.100v", content, err)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > uint64(8*len(content)+1<<16) {
			t.Errorf("%.20q takes %d bytes", content, used)
		}
	}
}
