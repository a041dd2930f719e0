package segment

import (
	"cmp"
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
	var leftovers []string
	for _, entry := range entries {
		name := entry.Name()
		if leftover(name) {
			leftovers = append(leftovers, name)
			continue
		}
		info, err := entry.Info()
		if err != nil {
			return f, err
		}
		usable, err := l.usable(name, info.Mode())
		if err != nil {
			return f, err
		}
		if usable {
			sizes[name] = info.Size()
		}
	}
	if err := l.removeLeftovers(leftovers, sizes); err != nil {
		return f, err
	}
	_, f.metadata = sizes[metadataFile]
	f.sort(sizes)
	return f, nil
}

func leftover(name string) bool {
	return strings.HasSuffix(name, deletedSuffix) || strings.HasSuffix(name, temporarySuffix) || unfinished(name)
}

// sort finds the segments, those too that have indexes and no .log file.
func (f *folder) sort(sizes map[string]int64) {
	for name, size := range sizes {
		if offset, ok := parseOffsetName(name, snapshotSuffix); ok {
			f.states = append(f.states, offset)
		}
		base, ok := parseOffsetName(name, logSuffix)
		if ok {
			f.segments = append(f.segments, segmentFiles{base, size, sizeOf(sizes, base, indexSuffix), sizeOf(sizes, base, timeIndexSuffix)})
			continue
		}
		offsets, times := int64(-1), int64(-1)
		if base, ok = parseOffsetName(name, indexSuffix); ok {
			offsets, times = size, sizeOf(sizes, base, timeIndexSuffix)
		} else if base, ok = parseOffsetName(name, timeIndexSuffix); ok && sizeOf(sizes, base, indexSuffix) < 0 {
			times = size
		} else {
			continue
		}
		if sizeOf(sizes, base, logSuffix) < 0 {
			f.segments = append(f.segments, segmentFiles{base, -1, offsets, times})
		}
	}
	slices.SortFunc(f.segments, func(a, b segmentFiles) int { return cmp.Compare(a.base, b.base) })
}

// sizeOf is the size of a segment's file, -1 if it is not there.
func sizeOf(sizes map[string]int64, base int64, suffix string) int64 {
	if size, ok := sizes[offsetName(base, suffix)]; ok {
		return size
	}
	return -1
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
	w.limit, w.strict = 0, true
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
