package segment

import (
	"errors"
	"io/fs"
	"path/filepath"
)

// segment is one .log file and its indexes. The last one of a log, the active
// one, is appended to; the others are sealed and do not change. The fields are
// guarded by the log's mu.
type segment struct {
	base int64
	// id is the storage.File.ID of the .log file.
	id   uint64
	file *cachedFile
	// size is the length of the batches in the file. next is the offset after
	// the last batch, base if there is none; of a sealed segment it is never
	// above the base of the one that follows.
	size, next int64

	offsets index[offsetEntry]
	times   index[timeEntry]
	// sinceEntry is the bytes of the batches since the one that the last offset
	// entry points at, that one included.
	sinceEntry int64

	// largest is the largest timestamp, -1 for none, and largestAt the last
	// offset of the first batch that holds it. Known once loaded is true.
	largest, largestAt int64
	loaded             bool

	// preallocated says that the file is longer than size on purpose.
	preallocated bool
	// written counts the changes to the .log file, and synced is the count up
	// to which they are durable. unsyncedIndexes says that an index was written
	// and not synced.
	written, synced uint64
	unsyncedIndexes bool
	// damage lists what recovery found broken, ascending.
	damage []damage
}

// damage is a run of bytes that are not intact batches, though such follow.
// from and to bound it in the file, first and next in offsets. It may be empty
// in bytes: then batches are missing.
type damage struct{ from, to, first, next int64 }

func (l *partitionLog) newSegment(base int64) *segment {
	path := func(suffix string) string { return filepath.Join(l.path, offsetName(base, suffix)) }
	cache := l.dir.engine.cache
	return &segment{
		base: base, next: base, id: l.dir.engine.fileIDs.Add(1), file: cache.file(path(logSuffix)),
		offsets: index[offsetEntry]{file: cache.file(path(indexSuffix)), format: offsetFormat},
		times:   index[timeEntry]{file: cache.file(path(timeIndexSuffix)), format: timeFormat},
		largest: -1, largestAt: base,
	}
}

// createSegment makes an empty segment with its file.
func (l *partitionLog) createSegment(base int64) (*segment, error) {
	s := l.newSegment(base)
	if err := s.file.create(); err != nil {
		return nil, err
	}
	s.loaded, s.written, s.preallocated = true, 1, l.config.Preallocate
	if s.preallocated {
		if err := s.file.truncate(l.config.SegmentBytes); err != nil {
			return nil, errors.Join(err, s.file.close(), removeFile(l.dir.files, s.file.path))
		}
	}
	return s, nil
}

// note takes a batch at the end of the segment into the indexes, by the rule
// that Kafka follows: an entry once the bytes since the last one exceed the
// interval, decided before the batch itself is counted. A first batch never
// gets one.
func (s *segment) note(last, timestamp int64, size, interval int64) {
	if timestamp > s.largest {
		s.largest, s.largestAt = timestamp, last
	}
	if s.sinceEntry > interval {
		s.offsets.append(offsetEntry{int32(last - s.base), int32(s.size)})
		s.noteTime()
		s.sinceEntry = 0
	}
	s.sinceEntry += size
	s.size += size
	s.next = last + 1
}

func (s *segment) noteTime() {
	entry, ok := s.times.lastOf()
	if s.largest >= 0 && (!ok || s.largest > entry.timestamp) {
		s.times.append(timeEntry{s.largest, int32(s.largestAt - s.base)})
	}
}

// flushIndexes writes the entries that are not in the files. A segment that
// is sealed or closed also notes its largest timestamp.
func (s *segment) flushIndexes(last bool) error {
	if s.size == 0 && !s.offsets.created {
		return nil
	}
	if last {
		s.noteTime()
	}
	if s.offsets.dirty() || s.times.dirty() {
		s.unsyncedIndexes = true
	}
	return errors.Join(s.offsets.flush(), s.times.flush())
}

func (s *segment) files() [3]*cachedFile {
	return [3]*cachedFile{s.file, s.offsets.file, s.times.file}
}

func (s *segment) close() error {
	var err error
	for _, f := range s.files() {
		err = errors.Join(err, f.close())
	}
	return err
}

// retire renames the files for deletion and returns their new paths. The .log
// file goes first: without it the others are orphans that opening removes.
func (s *segment) retire() (paths []string, err error) {
	for _, f := range s.files() {
		switch renameErr := f.retire(); {
		case renameErr == nil:
			paths = append(paths, f.path+deletedSuffix)
		case f == s.file || !errors.Is(renameErr, fs.ErrNotExist):
			err = errors.Join(err, renameErr)
		}
	}
	return paths, err
}
