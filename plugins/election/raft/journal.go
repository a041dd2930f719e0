package raft

import (
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/tidwall/wal"

	"odradek.dev/sdk/module"
	"odradek.dev/sdk/vfs"
)

// journal is the write-ahead log: one record for each thing that Raft wanted
// written. It is used by one goroutine. After an error it must not be written
// to again: what is on the disk is not known any more.
type journal struct {
	files vfs.FS
	dir   string
	log   *wal.Log
	// next is the number of the next record.
	next uint64
	// ends says which Raft entry was the last of each record that has any.
	ends []recordEnd
	// listed is the first record of which it is not known that a segment which
	// begins with it is durable in the folder.
	listed uint64
}

type recordEnd struct{ record, raftIndex uint64 }

// openJournal opens the log below dir and replays every record that is in it.
func openJournal(files vfs.FS, dir string, segmentBytes int, replay func(walRecord) error) (*journal, int64, error) {
	j := &journal{files: files, dir: filepath.Join(dir, "wal")}
	if err := files.MkdirAll(j.dir, 0o750); err != nil {
		return nil, 0, err
	}
	if err := files.SyncDir(dir); err != nil {
		return nil, 0, err
	}
	cut, err := repair(files, j.dir)
	if err != nil {
		return nil, 0, err
	}
	j.log, err = wal.Open(j.dir, &wal.Options{
		NoSync: true, SegmentSize: segmentBytes, SegmentCacheSize: 1, AllowEmpty: true,
		DirPerms: 0o750, FilePerms: 0o640,
	})
	if err != nil {
		return nil, 0, module.Fatalf("metadata log %s does not open: %w", j.dir, err)
	}
	if err := j.replay(replay); err != nil {
		return nil, 0, err
	}
	return j, cut, files.SyncDir(j.dir)
}

func (j *journal) replay(each func(walRecord) error) error {
	first, err := j.log.FirstIndex()
	if err != nil {
		return err
	}
	last, err := j.log.LastIndex()
	if err != nil {
		return err
	}
	for n := first; n <= last; n++ {
		data, err := j.log.Read(n)
		if err != nil {
			return module.Fatalf("metadata log %s, record %d: %w", j.dir, n, err)
		}
		r, err := decodeWALRecord(data)
		if err != nil {
			return module.Fatalf("metadata log %s, record %d: %w", j.dir, n, err)
		}
		if err := each(r); err != nil {
			return err
		}
		j.remember(n, r)
	}
	j.next = last + 1
	j.listed = j.next
	return j.log.ClearCache()
}

func (j *journal) remember(n uint64, r walRecord) {
	if len(r.entries) > 0 {
		j.ends = append(j.ends, recordEnd{record: n, raftIndex: r.entries[len(r.entries)-1].GetIndex()})
	}
}

// write appends a record; with sync it is durable on return.
func (j *journal) write(r walRecord, sync bool) error {
	data, err := r.encode()
	if err != nil {
		return err
	}
	if err := j.log.Write(j.next, data); err != nil {
		return module.Fatalf("metadata log %s cannot be written: %w", j.dir, err)
	}
	j.remember(j.next, r)
	j.next++
	if !sync {
		return nil
	}
	if err := j.log.Sync(); err != nil {
		return module.Fatalf("metadata log %s cannot be made durable: %w", j.dir, err)
	}
	return j.syncBegun()
}

// syncBegun syncs the folder if a segment was begun: without that the file
// would not be there after a power cut. A segment begins before a record or
// after it, and is named for its first.
func (j *journal) syncBegun() error {
	for ; j.listed <= j.next; j.listed++ {
		_, err := j.files.Stat(filepath.Join(j.dir, segmentNamed(j.listed)))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			err = j.files.SyncDir(j.dir)
		}
		if err != nil {
			return module.Fatalf("metadata log folder %s cannot be made durable: %w", j.dir, err)
		}
	}
	// The next record may yet begin one.
	j.listed = j.next
	return nil
}

// forget removes the records that hold nothing beyond a Raft entry. checkpoint
// is written first: what those records said of the hard state.
func (j *journal) forget(raftIndex uint64, checkpoint walRecord) error {
	from := j.next
	if err := j.write(checkpoint, true); err != nil {
		return err
	}
	keep := 0
	for keep < len(j.ends) && j.ends[keep].raftIndex <= raftIndex {
		keep++
	}
	if j.ends = append([]recordEnd(nil), j.ends[keep:]...); len(j.ends) > 0 {
		from = j.ends[0].record
	}
	if err := j.log.TruncateFront(from); err != nil {
		return module.Fatalf("metadata log %s cannot be shortened: %w", j.dir, err)
	}
	return j.files.SyncDir(j.dir)
}

func (j *journal) close() error { return j.log.Close() }
