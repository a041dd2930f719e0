package raft

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"

	"odradek.dev/sdk/module"
	"odradek.dev/sdk/vfs"
)

var segmentName = regexp.MustCompile(`^[0-9]{20}$`)

// repair makes sure that tidwall/wal can open the log, and returns how many
// bytes it had to cut from its end.
//
// A record that a crash tore off was never acknowledged, and nothing was
// written after it. So a broken record at the very end is cut, and any other
// is damage, which is left as it is and refused. So is a file that is missing.
func repair(files vfs.FS, dir string) (cut int64, err error) {
	entries, err := files.ReadDir(dir)
	if err != nil {
		return 0, err
	}
	var segments []string
	for _, e := range entries {
		if segmentName.MatchString(e.Name()) {
			segments = append(segments, e.Name())
		}
	}
	slices.Sort(segments)
	for n, name := range segments {
		path := filepath.Join(dir, name)
		data, err := readFile(files, path)
		if err != nil {
			return 0, err
		}
		s := scanSegment(data)
		newest := n == len(segments)-1
		switch {
		case s.damaged || s.end < len(data) && !newest:
			return 0, module.Fatalf("metadata log %s is damaged at byte %d, before records that are sound: restore the folder from a copy, or from another broker", path, s.end)
		case s.end < len(data):
			return int64(len(data) - s.end), truncate(files, path, int64(s.end))
		case !newest && following(name, s.records) != segments[n+1]:
			return 0, module.Fatalf("metadata log %s lacks the file %s: restore the folder from a copy, or from another broker", dir, following(name, s.records))
		}
	}
	return 0, nil
}

// segmentNamed is the name of the segment that begins with a record.
func segmentNamed(first uint64) string { return fmt.Sprintf("%020d", first) }

// following is the name of the segment after one with so many records.
func following(name string, records int) string {
	first, _ := strconv.ParseUint(name, 10, 64) // the name is digits only
	return segmentNamed(first + uint64(records))
}

// segment is what there is in the bytes of one.
type segment struct {
	// records are sound, and end at byte end.
	records, end int
	// damaged says that a sound record comes after a broken one.
	damaged bool
}

func scanSegment(data []byte) segment {
	var s segment
	broken := false
	for at := 0; at < len(data); {
		size, n := binary.Uvarint(data[at:])
		if n <= 0 || size > uint64(len(data)-at-n) {
			break
		}
		next := at + n + int(size)
		switch sound := soundRecord(data[at+n : next]); {
		case sound && broken:
			s.damaged = true
			return s
		case sound:
			s.records, s.end = s.records+1, next
		default:
			broken = true
		}
		at = next
	}
	return s
}

func truncate(files vfs.FS, path string, size int64) (err error) {
	f, err := files.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := f.Truncate(size); err != nil {
		return err
	}
	return f.Sync()
}
