package segment

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"odradek.dev/sdk/storage"
)

// openLog opens or creates the log of o. state is what the directory knows.
func openLog(d *directory, o storage.Open, state logState) (*partitionLog, storage.Recovery, error) {
	p := partitionOf(o.ID)
	l := &partitionLog{
		dir: d, id: o.ID, path: filepath.Join(d.path, p.String()), config: settled(o.Config),
		log: d.log.With("log", p.String()), began: -1,
	}
	if o.ID.TopicID == ([16]byte{}) {
		l.id.TopicID = state.id.TopicID
	}
	l.epochs.files, l.epochs.path = d.files, filepath.Join(l.path, epochsFile)
	r := recovery{log: l, clean: state.clean, point: state.point, start: state.start, nameless: state.id.TopicID == ([16]byte{})}
	err := r.run()
	if err != nil {
		for _, s := range l.segments {
			err = errors.Join(err, s.close())
		}
		return nil, r.report, err
	}
	return l, r.report, nil
}

// folder is what is in a partition's folder that matters: for each segment,
// the sizes of its files, -1 for one that is not there.
type folder struct {
	segments []segmentFiles
	// states are the offsets of the producer states.
	states   []int64
	metadata bool
}

type segmentFiles struct {
	base                   int64
	log, offsets, timeline int64
}

// scanFolder makes the folder if it is not there, and removes what earlier
// stops left half done. A log directory that is gone is not made again: what was
// written there would hide that its other logs are lost.
func (l *partitionLog) scanFolder() (folder, error) {
	var f folder
	if _, err := l.dir.files.Stat(filepath.Join(l.dir.path, lockFile)); err != nil {
		return f, err
	}
	if err := l.dir.files.MkdirAll(l.path, 0o755); err != nil {
		return f, err
	}
	entries, err := l.finishRewrites()
	if err != nil {
		return f, err
	}
	sizes := map[string]int64{}
	for _, entry := range entries {
		name := entry.Name()
		if leftover(name) {
			if err := removeFile(l.dir.files, filepath.Join(l.path, name)); err != nil {
				return f, err
			}
			continue
		}
		info, err := entry.Info()
		if err != nil {
			return f, err
		}
		sizes[name] = info.Size()
	}
	_, f.metadata = sizes[metadataFile]
	return l.sortSegments(f, sizes)
}

func leftover(name string) bool {
	return strings.HasSuffix(name, deletedSuffix) || strings.HasSuffix(name, temporarySuffix) || unfinished(name)
}

// sortSegments finds the segments and removes indexes without one.
func (l *partitionLog) sortSegments(f folder, sizes map[string]int64) (folder, error) {
	sizeOf := func(base int64, suffix string) int64 {
		if size, ok := sizes[offsetName(base, suffix)]; ok {
			return size
		}
		return -1
	}
	for name := range sizes {
		if offset, ok := parseOffsetName(name, snapshotSuffix); ok {
			f.states = append(f.states, offset)
		}
		if base, ok := parseOffsetName(name, logSuffix); ok {
			f.segments = append(f.segments, segmentFiles{
				base, sizes[name], sizeOf(base, indexSuffix), sizeOf(base, timeIndexSuffix),
			})
		}
		for _, suffix := range []string{indexSuffix, timeIndexSuffix} {
			if base, ok := parseOffsetName(name, suffix); ok && sizeOf(base, logSuffix) < 0 {
				l.log.Warn("index without a segment is removed: if no crash cut a deletion short, the segment was lost", "file", name)
				if err := removeFile(l.dir.files, filepath.Join(l.path, name)); err != nil {
					return f, err
				}
			}
		}
	}
	slices.SortFunc(f.segments, func(a, b segmentFiles) int {
		if a.base < b.base {
			return -1
		}
		return 1
	})
	return f, nil
}

// writeMetadata writes partition.metadata of a log that has none, or one that
// a crash left without content. It becomes
// durable with the first sync of the log: creating many logs costs no sync.
func (l *partitionLog) writeMetadata() error {
	f := l.dir.engine.cache.file(filepath.Join(l.path, metadataFile))
	if err := f.create(); err != nil {
		return err
	}
	l.renamed++
	return errors.Join(f.writeAt(encodeMetadata(l.id.TopicID), 0), f.close())
}

func (l *partitionLog) syncMetadata() error {
	f := l.dir.engine.cache.file(filepath.Join(l.path, metadataFile))
	return errors.Join(f.sync(), f.close())
}

// loadEnd fills in what an active segment needs and its files do not say at
// once, from the last index entry on: its end, its largest timestamp and how
// far the index is behind.
func (s *segment) loadEnd() error {
	s.largest, s.largestAt, s.next = -1, s.base, s.base
	if entry, ok := s.times.lastOf(); ok {
		s.largest, s.largestAt = entry.timestamp, s.base+int64(entry.offset)
	}
	position := int64(0)
	if entry, ok := s.offsets.lastOf(); ok {
		position = int64(entry.position)
	}
	if position < 0 || position >= max(s.size, 1) {
		return storage.ErrCorrupt.With("%s: the last entry of its index is at position %d", s.file.path, position)
	}
	w := s.walk(position, s.base)
	defer w.done()
	w.limit = 0
	for {
		b, ok, err := w.next()
		if err != nil {
			return err
		}
		if w.passed != (damage{}) {
			return w.passed.error(s.file.path)
		}
		if !ok {
			break
		}
		if entry, indexed := s.offsets.lastOf(); indexed && b.position == position && b.next-1 != s.base+int64(entry.offset) {
			return storage.ErrCorrupt.With("%s: the last entry of its index is of another batch", s.file.path)
		}
		if b.timestamp > s.largest {
			s.largest, s.largestAt = b.timestamp, b.next-1
		}
		s.next = b.next
	}
	for _, d := range s.damage {
		s.next = max(s.next, d.next)
	}
	s.sinceEntry = s.size - position
	s.loaded = true
	return nil
}
