package segment

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
)

// learn has the log keep what a reader has found out of a segment, and the list
// of damage with it. The caller holds l.shape for reading, since when it made the
// view.
func (l *partitionLog) learn(v *view) {
	if !v.looked && len(v.found) == 0 {
		return
	}
	l.mu.Lock()
	s := v.origin
	if v.looked && v.loaded && !s.loaded {
		s.largest, s.largestAt, s.loaded = v.largest, v.largestAt, true
	}
	before := s.damage
	for _, d := range v.found {
		if known := s.damage; len(withDamage(known, d)) > len(known) {
			s.damage = withDamage(known, d)
		}
	}
	found := slices.DeleteFunc(slices.Clone(s.damage), func(d damage) bool { return slices.Contains(before, d) })
	l.mu.Unlock()
	v.found = nil
	if len(found) == 0 {
		return
	}
	l.tellDamage(s.base, found)
	if err := l.saveDamage(); err != nil {
		l.log.Warn("list of damage cannot be written; the damage is met again when it is read after the next start", "error", l.dir.diskError(err))
	}
}

// tellDamage logs damage of the segment at base.
func (l *partitionLog) tellDamage(base int64, list []damage) {
	for _, d := range list {
		l.log.Error("log is damaged; the offsets can not be read, what follows can",
			"segment", base, "position", d.from, "bytes", d.to-d.from, "first", d.first, "last", d.next-1)
	}
}

// saveDamage replaces the list of damage, unless nothing is written any more.
func (l *partitionLog) saveDamage() error {
	l.damageWriting.Lock()
	defer l.damageWriting.Unlock()
	l.mu.RLock()
	content, done := encodeDamage(l.segments), l.closed || l.failure != nil || l.dir.failed() != nil
	l.mu.RUnlock()
	if done {
		return nil
	}
	return replaceFile(l.dir.files, filepath.Join(l.path, damageFile), content)
}

// forgetDamage has the list without what was cut off: other batches may come to
// stand there. On a full disk there is no list: what is left is met again.
func (l *partitionLog) forgetDamage() error {
	err := l.saveDamage()
	if diskFull(err) {
		return removeFile(l.dir.files, filepath.Join(l.path, damageFile))
	}
	return err
}

func encodeDamage(segments []*segment) []byte {
	var lines []string
	for _, s := range segments {
		for _, d := range s.damage {
			lines = append(lines, fmt.Sprintf("%d %d %d %d %d", s.base, d.from, d.to, d.first, d.next))
		}
	}
	return encodeCheckpoint(lines)
}

// adoptTimes puts the time indexes that readers have made anew in the place of
// those in the files, and writes them. A log that cannot be written to keeps them
// in memory.
func (l *partitionLog) adoptTimes(views []view) {
	adopted := false
	for i := range views {
		if v := &views[i]; v.remade && v.origin != nil {
			if err := l.adopt(v); err != nil {
				l.log.Warn("time index that is damaged cannot be removed", "segment", v.base, "error", l.dir.diskError(err))
			}
			adopted = true
		}
	}
	if !adopted {
		return
	}
	if err := l.catchUp(); err != nil {
		l.log.Warn("indexes cannot be written and stay in memory", "error", l.dir.diskError(err))
	}
	l.dir.mu.Lock()
	defer l.dir.mu.Unlock()
	l.dir.catchUpLater(l)
}

// adopt takes the time index of v, if its segment is still in the log and closed
// to appends. The file goes before: what is in it must not be taken for the whole.
func (l *partitionLog) adopt(v *view) error {
	l.shape.Lock()
	defer l.shape.Unlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	s := v.origin
	at := slices.Index(l.segments, s)
	if at < 0 || at == len(l.segments)-1 || l.closed || l.failure != nil || l.dir.failed() != nil || s.times.dirty() {
		return nil
	}
	l.log.Warn("time index is damaged and is made anew", "segment", s.base)
	if err := errors.Join(s.times.file.close(), removeFile(l.dir.files, s.times.file.path)); err != nil {
		return err
	}
	s.times.created, s.times.stored = false, 0
	s.times.pending, s.times.last = v.times.pending, v.times.last
	return nil
}
