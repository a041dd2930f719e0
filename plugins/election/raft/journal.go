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
	log   logFiles
	point recoveryPoint
	// next is the number of the next record.
	next uint64
	// ends says which Raft entry was the last of each record that has any.
	ends []recordEnd
	// listed is the first record of which it is not known that a segment which
	// begins with it is durable in the folder.
	listed uint64
}

type recordEnd struct{ record, raftIndex uint64 }

// logFiles are the segments of the log, as tidwall/wal keeps them.
type logFiles interface {
	FirstIndex() (uint64, error)
	LastIndex() (uint64, error)
	Read(index uint64) ([]byte, error)
	Write(index uint64, data []byte) error
	Sync() error
	TruncateFront(index uint64) error
	ClearCache() error
	Close() error
}

// opener opens the segments in dir. It is passed on so that a test can have a
// disk that is full: tidwall/wal does not go through module.Env.
type opener func(dir string, o *wal.Options) (logFiles, error)

func openFiles(dir string, o *wal.Options) (logFiles, error) { return wal.Open(dir, o) }

// tell takes what is odd about the files and no error: news at a start, and
// expected where the log is opened again after a write that failed.
type tell func(message string, args ...any)

// openJournal opens the log below the module's folder and replays every record
// that is in it.
func openJournal(env module.Env, segmentBytes int, open opener, odd tell, replay func(walRecord) error) (*journal, error) {
	j := &journal{files: env.FS, dir: filepath.Join(env.Dir, "wal")}
	if err := j.files.MkdirAll(j.dir, 0o750); err != nil {
		return nil, err
	}
	readable := false
	var err error
	if j.point, readable, err = openRecoveryPoint(j.files, env.Dir); err != nil {
		return nil, err
	}
	if !readable {
		odd("recovery point of the metadata log is damaged: whether the log is whole cannot be told", "file", recoveryPointPath(env.Dir))
	}
	if err := j.open(env, segmentBytes, open, odd, replay); err != nil {
		_ = j.close() // the first error is the one to report
		return nil, err
	}
	return j, nil
}

func (j *journal) open(env module.Env, segmentBytes int, open opener, odd tell, replay func(walRecord) error) error {
	if err := j.files.SyncDir(env.Dir); err != nil {
		return err
	}
	torn, err := repair(j.files, j.dir, j.point.record)
	if err != nil {
		return err
	}
	if torn.bytes > 0 {
		odd("cut what is left of an unfinished write", "file", torn.path, "position", torn.at, "bytes", torn.bytes)
	}
	log, err := open(j.dir, &wal.Options{
		NoSync: true, SegmentSize: segmentBytes, SegmentCacheSize: 1, AllowEmpty: true,
		DirPerms: 0o750, FilePerms: 0o640,
	})
	if err != nil {
		return module.Fatalf("metadata log %s does not open: %w", j.dir, err)
	}
	j.log = log
	if err := j.replay(replay); err != nil {
		return err
	}
	return j.files.SyncDir(j.dir)
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
			return module.Fatalf("metadata log %s, record %d: %w", j.dir, n, err)
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

// write appends a record, which is durable on return. There is never more than
// one that is not: see repair.
func (j *journal) write(r walRecord) error {
	data, err := r.encode()
	if err != nil {
		return err
	}
	if err := j.log.Write(j.next, data); err != nil {
		return module.Fatalf("metadata log %s cannot be written: %w", j.dir, err)
	}
	j.remember(j.next, r)
	j.next++
	if err := j.log.Sync(); err != nil {
		return module.Fatalf("metadata log %s cannot be made durable: %w", j.dir, err)
	}
	if err := j.syncBegun(); err != nil {
		return err
	}
	return j.point.advance(j.next - 1)
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
	if err := j.write(checkpoint); err != nil {
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

func (j *journal) close() error {
	if j.log == nil {
		return j.point.close()
	}
	return errors.Join(j.log.Close(), j.point.close())
}
