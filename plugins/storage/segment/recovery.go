package segment

import (
	"errors"
	"math"
	"path/filepath"
	"slices"

	"odradek.dev/sdk/storage"
)

// recovery makes a log's state from its files. See the package's comment for
// what it cuts off and what it keeps.
type recovery struct {
	log *partitionLog
	// clean says that the files are as a clean stop left them.
	clean bool
	// point is the recovery point: what is below it was synced once. start is
	// the start offset if a checkpoint says more than the first segment's name.
	point, start int64
	// noted is the recovery point as the checkpoint has it; after a clean stop it
	// is the end of the log.
	noted int64
	// nameless says that partition.metadata is missing or cannot be read.
	nameless bool

	sizes []segmentFiles
	// lost are the segments that have no .log file any more.
	lost         []int64
	epochsKnown  bool
	loadedEpochs []storage.EpochStart
	knownDamage  bool
	damageByBase map[int64][]damage
	report       storage.Recovery
}

func (r *recovery) run() error {
	l := r.log
	found, err := l.scanFolder()
	if err != nil {
		return err
	}
	if !found.metadata || r.nameless {
		if err := l.writeMetadata(); err != nil {
			return err
		}
	}
	if r.epochsKnown, err = l.epochs.load(); err != nil {
		return err
	}
	r.loadedEpochs = slices.Clone(l.epochs.starts)
	if err := r.loadDamage(); err != nil {
		return err
	}
	r.noted = r.point
	if err := r.list(found); err != nil {
		return err
	}
	if r.clean {
		// All was synced, whatever has become of the checkpoint.
		r.point = max(r.point, l.active().base)
	}
	for i := 0; i < len(l.segments); i++ {
		if err := r.segment(i); err != nil {
			return err
		}
	}
	if err := r.settle(); err != nil {
		return err
	}
	r.tell()
	r.settleNames()
	return errors.Join(r.settleEpochs(), r.settleStates(found.states), r.saveDamage())
}

// settleNames takes note of names that may not be durable: those of a killed
// process, and those of a log that was closed before it ever had a batch.
func (r *recovery) settleNames() {
	l := r.log
	pristine := l.created == nil && len(l.segments) == 1 && l.end == 0
	if r.clean && pristine {
		l.created, l.segments[0].written = l.segments[0], 1
	}
	if !r.clean || pristine {
		l.renamed++
	}
}

// list makes the segments that the folder holds, and the first one of a new log.
// After a crash those below the start offset go for good: from then on the name
// of the first one may be all that tells the start.
func (r *recovery) list(found folder) error {
	l := r.log
	files := found.segments
	r.checkStart(files)
	for !r.clean && len(files) > 1 && files[1].base <= r.start {
		if err := removeSegment(l.newSegment(files[0].base)); err != nil {
			return err
		}
		files = files[1:]
	}
	if len(files) < len(found.segments) {
		l.log.Info("segments below the log start offset are removed", "start", r.start, "first", found.segments[0].base, "segments", len(found.segments)-len(files))
		if err := l.dir.files.SyncDir(l.path); err != nil {
			return err
		}
	}
	files, err := r.keepLost(files)
	if err != nil {
		return err
	}
	for i, f := range files {
		s := l.newSegment(f.base)
		s.size, s.next = f.log, f.base
		if i+1 < len(files) {
			s.next = files[i+1].base
		}
		s.damage = r.damageByBase[f.base]
		l.segments = append(l.segments, s)
	}
	r.sizes = files
	if len(files) > 0 {
		return nil
	}
	first, err := l.createSegment(r.start)
	if err != nil {
		return err
	}
	l.segments, l.created = []*segment{first}, first
	l.renamed++
	r.sizes = []segmentFiles{{base: first.base, offsets: 0, timeline: 0}}
	return nil
}

// segment loads one segment, and checks its batches if it has to.
func (r *recovery) segment(i int) error {
	s, files := r.log.segments[i], r.sizes[i]
	last := i == len(r.log.segments)-1
	// The sync that set the recovery point left out the indexes of the segment
	// that it lies in or at the end of: that was the active one.
	if !r.clean && (last || s.next >= r.point) {
		return r.rebuild(i)
	}
	if files.log == 0 && last {
		s.loaded = true
		for _, d := range s.damage {
			s.next = max(s.next, d.next)
		}
		return nil
	}
	sound := files.offsets >= 0 && files.offsets%offsetEntrySize == 0 && files.timeline >= 0 && files.timeline%timeEntrySize == 0
	if !sound {
		r.log.log.Warn("index is missing or damaged and is made anew", "segment", s.base)
		return r.rebuild(i)
	}
	s.offsets.created, s.offsets.stored = true, files.offsets/offsetEntrySize
	s.times.created, s.times.stored = true, files.timeline/timeEntrySize
	if last {
		if err := errors.Join(s.offsets.loadLast(), s.times.loadLast(), r.loadEnd(s)); err != nil {
			r.log.log.Warn("active segment is not as a clean stop leaves it and is checked", "segment", s.base, "error", err)
			return r.rebuild(i)
		}
	}
	if files.log == 0 {
		if err := r.emptied(s); err != nil {
			return err
		}
	}
	return r.readEpochs(s)
}

// loadEnd is the segment's, whose end must be where the clean stop said.
func (r *recovery) loadEnd(s *segment) error {
	if err := s.loadEnd(); err != nil {
		return err
	}
	if r.noted > 0 && s.next != r.noted {
		return storage.ErrCorrupt.With("%s ends at offset %d, and the log was stopped at %d", s.file.path, s.next, r.noted)
	}
	v := view{segment: *s}
	v.loaded = false
	if err := v.look(); err != nil {
		return err
	}
	if v.remade || len(v.found) > 0 {
		return storage.ErrCorrupt.With("%s does not end as its time index says", s.file.path)
	}
	return nil
}

// emptied notes what is missing of a segment without batches that is not the
// last one. Kafka leaves such a segment where compaction has taken all batches;
// its indexes are empty then.
func (r *recovery) emptied(s *segment) error {
	if len(s.damage) > 0 {
		return nil
	}
	d, damaged, err := s.lacks(s.base)
	if damaged || r.wasLost(s.base) {
		s.damage = []damage{d}
	}
	return err
}

// readEpochs gathers the epochs of a segment that is not checked, if the file
// with them is lost.
func (r *recovery) readEpochs(s *segment) error {
	if r.epochsKnown {
		return nil
	}
	w := s.walk(0, s.base)
	defer w.done()
	for {
		b, ok, err := w.next()
		r.report.ScannedBytes += w.readBytes
		w.readBytes = 0
		if err != nil || !ok {
			s.damage = w.damage
			return err
		}
		r.noteEpoch(b)
	}
}

func (r *recovery) noteEpoch(b batchAt) {
	if e := &r.log.epochs; e.begins(b.epoch) {
		e.starts = began(e.starts, b.epoch, b.base)
	}
}

// settle fixes the bounds of the log.
func (r *recovery) settle() error {
	l := r.log
	l.end = l.active().next
	l.start = max(r.start, l.segments[0].base)
	if r.clean && l.start > l.end && r.noted == 0 {
		l.log.Warn("log start offset is beyond the end of the log and is passed over",
			"file", filepath.Join(l.dir.path, startOffsetsFile), "offset", l.start, "end", l.end)
		l.start = l.segments[0].base
	}
	if l.end < r.point {
		// What was durable is gone, and its offsets must not be given out again.
		if err := r.lose(r.point); err != nil {
			return err
		}
	}
	if l.start > l.end {
		if err := l.restartAtStart(); err != nil {
			return err
		}
	}
	l.durable = min(r.point, l.end)
	if r.clean {
		l.durable = l.end
	}
	return nil
}

// lose notes that the offsets up to next are not in the log any more.
func (r *recovery) lose(next int64) error {
	l := r.log
	s := l.active()
	if next-s.base > math.MaxInt32 {
		if err := r.flushRebuilt(s, false); err != nil {
			return err
		}
		fresh, err := l.createSegment(next)
		if err != nil {
			return err
		}
		l.segments = append(l.segments, fresh)
		l.renamed++
	}
	s.damage = append(s.damage, damage{s.size, s.size, l.end, next})
	s.next, l.end = next, next
	return nil
}

// restartAtStart empties a log that ends below its start offset. From then on
// the name of its segment tells the start.
func (l *partitionLog) restartAtStart() error {
	fresh, err := l.createSegment(l.start)
	if err != nil {
		return err
	}
	gone := l.segments
	l.segments, l.end = []*segment{fresh}, l.start
	l.renamed++
	for _, s := range slices.Backward(gone) {
		for _, f := range s.files() {
			if err := errors.Join(f.close(), removeFile(l.dir.files, f.path)); err != nil {
				return err
			}
		}
	}
	return l.dir.files.SyncDir(l.path)
}

// settleEpochs drops the epochs that begin above the end. One that begins at
// the end stays: it has been begun, and has no batch yet.
func (r *recovery) settleEpochs() error {
	l := r.log
	starts := slices.DeleteFunc(l.epochs.starts, func(s storage.EpochStart) bool { return s.Start > l.end })
	for len(starts) > 1 && starts[1].Start <= l.start {
		starts = starts[1:]
	}
	if len(starts) > 0 {
		starts[0].Start = max(starts[0].Start, l.start)
	}
	l.epochs.starts = starts
	if known := len(r.loadedEpochs); known <= len(starts) && slices.Equal(r.loadedEpochs, starts[:known]) {
		// What was found in batches is found there again until it is saved.
		l.epochs.changes += uint64(len(starts) - known)
		return nil
	}
	l.epochs.exists = true
	return replaceFile(l.dir.files, l.epochs.path, encodeEpochs(starts))
}

// settleStates removes the producer states above the end. After a killed
// process those that stay may not be durable.
func (r *recovery) settleStates(found []int64) error {
	l := r.log
	above, newest := false, int64(-1)
	for _, offset := range found {
		above = above || offset > l.end
		if offset <= l.end {
			newest = max(newest, offset)
		}
		if offset <= l.end && !r.clean {
			l.unsyncedStates = append(l.unsyncedStates, offset)
		}
	}
	if above {
		if err := l.dropStatesAbove(l.end); err != nil {
			return err
		}
	}
	// After a crash the newest one may not be whole.
	if r.clean && len(found) > len(l.segments) {
		l.dropStrayStates(newest)
	}
	return nil
}

// tell logs what was found, if it was anything.
func (r *recovery) tell() {
	l := r.log
	if r.report.TruncatedBytes > 0 {
		l.log.Warn("torn tail was cut off", "bytes", r.report.TruncatedBytes, "end", l.end, "recovery.point", r.point)
	}
	for _, s := range l.segments {
		l.tellDamage(s.base, s.damage)
	}
}
