package segment

import (
	"math"
	"slices"

	"odradek.dev/sdk/record"
	"odradek.dev/sdk/vfs"
)

// rebuild checks every batch of the segment at index i, makes its indexes anew
// and decides about what is not an intact batch.
func (r *recovery) rebuild(i int) error {
	l := r.log
	s := l.segments[i]
	sc := &scanner{file: s.file, size: s.size, base: s.base}
	limit, known := int64(math.MaxInt64), s.base
	if i+1 < len(l.segments) {
		limit, known = l.segments[i+1].base, r.known(i)
	}
	s.offsets.reset()
	s.times.reset()
	s.size, s.next, s.damage, s.loaded = 0, s.base, nil, true
	s.largest, s.largestAt, s.sinceEntry = -1, s.base, 0
	s.written++
	cut, full := false, false
	for s.size < sc.size && !cut {
		b, intact, err := r.expect(sc, s.size, s.next, limit)
		if err != nil {
			return err
		}
		if !intact {
			if cut, err = r.judge(i, sc); err != nil {
				return err
			}
			continue
		}
		r.noteEpoch(b)
		s.note(b.next-1, b.timestamp, b.size, l.config.IndexIntervalBytes)
		if len(s.offsets.pending) >= pendingMax && !full {
			err := s.flushIndexes(false)
			if full = diskFull(err); err != nil && !full {
				return err
			}
		}
	}
	r.report.ScannedBytes += sc.read
	if sc.size > 0 {
		r.report.RebuiltIndexes += 2
	}
	if cut {
		if err := r.cutFrom(i, sc); err != nil {
			return err
		}
	} else if err := r.checkGap(i, known); err != nil {
		return err
	}
	return r.flushRebuilt(s, i == len(l.segments)-1)
}

// flushRebuilt writes what is left of the new indexes. On a full disk they stay
// in memory, like the entries that an append makes, and the log can be read.
func (r *recovery) flushRebuilt(s *segment, active bool) error {
	err := s.flushIndexes(!active)
	if err == nil || !diskFull(err) {
		return err
	}
	r.log.log.Warn("indexes cannot be written as the disk is full and stay in memory", "segment", s.base)
	if active {
		return nil
	}
	return s.recallIndexes()
}

// expect reads the batch at position, which begins at next if it is intact:
// the CRC does not cover the base offset. Only what was durable may have gaps,
// from compaction, and then the batch after it must go on from it, unless the
// recovery point says that it ends there. No batch reaches limit, where the next
// segment begins.
func (r *recovery) expect(sc *scanner, position, next, limit int64) (b batchAt, intact bool, err error) {
	b, _, intact, err = sc.batch(position, next)
	if err != nil || !intact || b.base == next {
		return b, intact, err
	}
	if next >= r.point || b.next > min(r.point, limit) {
		return b, false, nil
	}
	if b.end() == sc.size {
		return b, true, nil
	}
	after, _, intact, err := sc.batch(b.end(), next)
	if !intact {
		return b, b.next == r.point, err
	}
	return b, after.base >= b.next, nil
}

// judge decides about the bytes at the end of what was checked: cut, if they
// are what a crash left of writes that were never durable, or damage.
func (r *recovery) judge(i int, sc *scanner) (cut bool, err error) {
	s := r.log.segments[i]
	at, expected := s.size, s.next
	nothing, err := sc.zeros(at, sc.size)
	if err != nil {
		return false, err
	}
	var after batchAt
	found := false
	if !nothing {
		if after, found, err = sc.nextIntact(at, expected); err != nil {
			return false, err
		}
	}
	until := sc.size
	if found {
		until = after.position
	}
	followed := found || r.anyAfter(i)
	if expected >= r.point {
		lost := !followed
		if !lost {
			if lost, err = sc.lost(at, until); err != nil {
				return false, err
			}
		}
		if lost {
			return true, nil
		}
	}
	next := after.base
	if !found {
		next = max(r.point, expected)
		if i+1 < len(r.log.segments) {
			next = r.log.segments[i+1].base
		}
	}
	s.damage = append(s.damage, damage{at, until, expected, next})
	s.size, s.next = until, next
	return false, nil
}

func (r *recovery) anyAfter(i int) bool {
	for _, later := range r.log.segments[i+1:] {
		if later.size > 0 {
			return true
		}
	}
	return false
}

// lost reports whether the bytes look like a write that did not reach the
// disk: a sector that was never written reads as zeros from where the file
// ended before, which is the boundary of a batch, or from its first byte on;
// and a file whose size was not written ends inside a batch.
func (s *scanner) lost(from, to int64) (bool, error) {
	sector := from - from%vfs.SectorSize + vfs.SectorSize
	if zero, err := s.zeros(from, min(sector, s.size)); zero || err != nil {
		return zero, err
	}
	for ; sector < to; sector += vfs.SectorSize {
		if zero, err := s.zeros(sector, min(sector+vfs.SectorSize, s.size)); zero || err != nil {
			return zero, err
		}
	}
	if to < s.size {
		return false, nil
	}
	return s.short(from)
}

// short reports whether the file ends inside the batch at from. If the CRC is
// right for what there is, then it is the length field that is wrong.
func (s *scanner) short(from int64) (bool, error) {
	header, err := s.window(from, record.HeaderSize)
	if err != nil || len(header) < record.HeaderSize {
		return err == nil, err
	}
	want := record.Batch(header).CRC()
	if from+int64(record.Batch(header).Size()) <= s.size {
		return false, nil
	}
	sum, err := s.checksum(from+crcFrom, s.size)
	return sum != want, err
}

// cutFrom removes what follows the intact batches of the segment at i.
func (r *recovery) cutFrom(i int, sc *scanner) error {
	l := r.log
	s := l.segments[i]
	zero := false
	if l.config.Preallocate {
		var err error
		if zero, err = sc.zeros(s.size, sc.size); err != nil {
			return err
		}
	}
	if !zero {
		r.report.TruncatedBytes += sc.size - s.size
	}
	if err := s.file.truncate(s.size); err != nil {
		return err
	}
	if err := s.file.sync(); err != nil {
		return err
	}
	return r.removeAfter(i)
}

// known is up to where the batches of the segment at i went, as far as the index
// files say that are to be made anew. They may be what is broken, so what cannot
// be read of them says nothing.
func (r *recovery) known(i int) int64 {
	s, files := *r.log.segments[i], r.sizes[i]
	s.next = r.log.segments[i+1].base
	s.offsets.stored, s.times.stored = max(files.offsets, 0)/offsetEntrySize, max(files.timeline, 0)/timeEntrySize
	next, err := s.atLeast()
	if err != nil {
		r.log.log.Debug("index cannot be read before it is made anew", "segment", s.base, "error", err)
	}
	return next
}

// checkGap looks at whether batches are missing between the end of a segment
// and the next one. known is up to where its indexes knew of some. Where the log
// was compacted, there is a gap if the last batches were given up.
func (r *recovery) checkGap(i int, known int64) error {
	l := r.log
	if i+1 >= len(l.segments) {
		return nil
	}
	s, following := l.segments[i], l.segments[i+1]
	if s.next >= following.base {
		return nil
	}
	if s.next >= r.point {
		return r.removeAfter(i)
	}
	missed := r.wasLost(s.base) || slices.ContainsFunc(r.damageByBase[s.base], func(d damage) bool { return d.holds(s.next) })
	if s.next >= known && !missed && following.base <= l.dir.compactedUpTo(l.id) {
		s.next = following.base
		return nil
	}
	s.damage = append(s.damage, damage{s.size, s.size, s.next, following.base})
	s.next = following.base
	return nil
}

// removeAfter removes the segments behind the one at i, for good: if a later
// crash brought them back, they would be beside what is appended from now on.
func (r *recovery) removeAfter(i int) error {
	l := r.log
	if i == len(l.segments)-1 {
		return nil
	}
	for k := len(l.segments) - 1; k > i; k-- {
		r.report.TruncatedBytes += l.segments[k].size
		for _, f := range l.segments[k].files() {
			if err := f.close(); err != nil {
				return err
			}
			if err := removeFile(l.dir.files, f.path); err != nil {
				return err
			}
		}
	}
	l.segments = l.segments[:i+1]
	return l.dir.files.SyncDir(l.path)
}
