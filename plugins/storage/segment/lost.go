package segment

import (
	"path/filepath"
	"slices"
)

// removeLeftovers removes files that an earlier stop left half done, and those of
// a segment whose deletion was cut short between its files: its .log file has the
// name of a deleted one. Their removal is durable before that of what tells.
func (l *partitionLog) removeLeftovers(leftovers []string, sizes map[string]int64) error {
	cutShort := false
	for _, name := range leftovers {
		base, ok := parseOffsetName(name, logSuffix+deletedSuffix)
		if !ok || sizeOf(sizes, base, logSuffix) >= 0 {
			continue
		}
		for _, suffix := range []string{indexSuffix, timeIndexSuffix} {
			if err := removeFile(l.dir.files, filepath.Join(l.path, offsetName(base, suffix))); err != nil {
				return err
			}
			delete(sizes, offsetName(base, suffix))
		}
		cutShort = true
	}
	if cutShort {
		if err := l.dir.files.SyncDir(l.path); err != nil {
			return err
		}
	}
	for _, name := range leftovers {
		if err := removeFile(l.dir.files, filepath.Join(l.path, name)); err != nil {
			return err
		}
	}
	return nil
}

// keepLost gives a segment that has indexes and no .log file an empty one, so that
// it is damage like every segment without batches, at every start and until it is
// deleted. One that may never have been durable is removed: after a crash it is
// what a power cut left of a new segment, or of one that recovery removed.
func (r *recovery) keepLost(files []segmentFiles) ([]segmentFiles, error) {
	l := r.log
	kept := files[:0:0]
	for _, f := range files {
		if f.log >= 0 {
			kept = append(kept, f)
			continue
		}
		s := l.newSegment(f.base)
		if !r.clean && f.base >= r.point {
			l.log.Warn("indexes without a segment are removed: it was not durable before the crash", "segment", f.base)
			if err := removeSegment(s); err != nil {
				return nil, err
			}
			continue
		}
		l.log.Error("segment's .log file is lost; its indexes are kept", "file", s.file.path)
		if err := s.file.create(); err != nil {
			return nil, err
		}
		if err := s.close(); err != nil {
			return nil, err
		}
		l.renamed++
		r.lost = append(r.lost, f.base)
		f.log = 0
		kept = append(kept, f)
	}
	return kept, nil
}

// removeSegment removes the .log file last: indexes without one are a loss.
func removeSegment(s *segment) error {
	files := s.files()
	for _, f := range slices.Backward(files[:]) {
		if err := removeFile(f.cache.files, f.path); err != nil {
			return err
		}
	}
	return nil
}

// wasLost says that the segment at base had no .log file.
func (r *recovery) wasLost(base int64) bool { return slices.Contains(r.lost, base) }

// checkStart compares log-start-offset-checkpoint, which has no checksum, with a
// log that was stopped: the checkpoint was written then, and whole segments below
// the start were gone before, unless it was Kafka that stopped. A start beyond the
// end is none. After a crash neither can be said.
func (r *recovery) checkStart(files []segmentFiles) {
	if !r.clean || r.start == 0 || len(files) == 0 {
		return
	}
	warn := func(message string, more ...any) {
		r.log.log.Warn(message, append([]any{"file", filepath.Join(r.log.dir.path, startOffsetsFile), "offset", r.start}, more...)...)
	}
	switch {
	case r.noted > 0 && r.start > r.noted:
		warn("log start offset is beyond the end of the log and is passed over", "end", r.noted)
		r.start = 0
	case r.start < files[0].base:
		warn("log begins beyond its log start offset: its first segments are lost, or were removed by others", "start", files[0].base)
	case len(files) > 1 && files[1].base <= r.start:
		warn("log start offset is beyond whole segments, which are deleted by the next retention", "first", files[0].base)
	}
}
