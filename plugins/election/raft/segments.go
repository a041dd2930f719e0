package raft

import (
	"fmt"
	"regexp"
	"strconv"

	"odradek.dev/sdk/vfs"
)

// segmentFile is a file of the log. name begins with the number of its first
// record.
type segmentFile struct {
	name  string
	first uint64
}

// A file with the suffix is what tidwall/wal leaves when it is killed while it
// drops the oldest records: it stands for all files before it, and is renamed
// when the log is opened.
var segmentName = regexp.MustCompile(`^([0-9]{20})(\.START)?$`)

// segmentNamed is the name of the segment that begins with a record.
func segmentNamed(first uint64) string { return fmt.Sprintf("%020d", first) }

// listSegments returns the files that the log consists of, oldest first.
func listSegments(files vfs.FS, dir string) ([]segmentFile, error) {
	entries, err := files.ReadDir(dir) // sorted by name
	if err != nil {
		return nil, err
	}
	var segments []segmentFile
	for _, e := range entries {
		parts := segmentName.FindStringSubmatch(e.Name())
		if parts == nil {
			continue
		}
		first, err := strconv.ParseUint(parts[1], 10, 64)
		if err != nil || first == 0 {
			continue // as tidwall/wal does
		}
		if parts[2] != "" {
			segments = nil
		}
		segments = append(segments, segmentFile{name: e.Name(), first: first})
	}
	return segments, nil
}
