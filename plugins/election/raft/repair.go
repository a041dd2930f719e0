package raft

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"

	"odradek.dev/sdk/module"
	"odradek.dev/sdk/vfs"
)

// cut is what was taken off the end of a log: bytes of them, from byte at on.
type cut struct {
	path      string
	at, bytes int64
}

const restore = "restore the folder from a copy, or from another broker"

// repair makes sure that tidwall/wal can open the log, and returns what it had
// to cut from its end. durable is a record that was, 0 if none is known of.
//
// Each record is made durable before the next is written. So a crash tears off
// the last one at most, which was not acknowledged: broken bytes at the end
// that no sound record follows, and that come after the last durable record.
// These are cut, and a last record that is not known to be durable is made so.
// All else is damage, which is left as it is and refused, and
// so is a file that is missing.
func repair(files vfs.FS, dir string, durable uint64) (cut, error) {
	segments, err := listSegments(files, dir)
	if err != nil {
		return cut{}, err
	}
	for n, s := range segments {
		path := filepath.Join(dir, s.name)
		data, err := readFile(files, path)
		if err != nil {
			return cut{}, err
		}
		found := scanSegment(data)
		torn := found.end < len(data)
		next := s.first + uint64(found.records)
		newest := n == len(segments)-1
		switch {
		case found.damaged || torn && !newest:
			return cut{}, module.Fatalf("metadata log %s is damaged at byte %d, before records that are sound: %s", path, found.end, restore)
		case newest && next <= durable:
			return cut{}, module.Fatalf("metadata log %s ends at byte %d after record %d, but had record %d on the disk: %s", path, found.end, next-1, durable, restore)
		case newest:
			return settleEnd(files, path, data, found, next-1 > durable)
		case segments[n+1].first != next:
			return cut{}, module.Fatalf("metadata log %s lacks the file %s: %s", dir, segmentNamed(next), restore)
		}
	}
	if len(segments) == 0 && durable > 0 {
		return cut{}, module.Fatalf("metadata log %s has no files, but had record %d on the disk: %s", dir, durable, restore)
	}
	return cut{}, nil
}

// scan is what there is in the bytes of one segment.
type scan struct {
	// records are sound, and end at byte end. The last begins at byte last.
	records, end, last int
	// damaged says that a sound record comes after a broken one.
	damaged bool
}

func scanSegment(data []byte) scan {
	var s scan
	for s.end < len(data) {
		record, size := framed(data[s.end:])
		if !soundRecord(record) {
			s.damaged = holdsRecord(data[s.end+1:])
			return s
		}
		s.records, s.end, s.last = s.records+1, s.end+size, s.end
	}
	return s
}

// framed is the record that data begins with, and its size together with the
// length before it; nothing if that length cannot be right.
func framed(data []byte) (record []byte, size int) {
	length, n := binary.Uvarint(data)
	if n <= 0 || length > uint64(len(data)-n) {
		return nil, 0
	}
	size = n + int(length)
	return data[n:size], size
}

// holdsRecord reports whether a sound record begins anywhere in data. A broken
// length says nothing of where the next one is, so every byte is tried.
func holdsRecord(data []byte) bool {
	for at := range data {
		if record, _ := framed(data[at:]); shapedLikeRecord(record) && soundRecord(record) {
			return true
		}
	}
	return false
}

// settleEnd cuts what is torn off the newest file. A last record that is to be
// renewed is written once more: a sync of it that failed may have left it in the
// system's memory as if it were on the disk, and the next sync would say so too.
func settleEnd(files vfs.FS, path string, data []byte, found scan, renew bool) (c cut, err error) {
	if torn := len(data) - found.end; torn > 0 {
		c = cut{path: path, at: int64(found.end), bytes: int64(torn)}
	} else if !renew {
		return cut{}, nil
	}
	f, err := files.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return cut{}, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if c.bytes > 0 {
		if err := f.Truncate(c.at); err != nil {
			return cut{}, err
		}
	}
	if renew {
		if _, err := f.WriteAt(data[found.last:found.end], int64(found.last)); err != nil {
			return cut{}, err
		}
	}
	return c, f.Sync()
}
