package segment

import (
	"path/filepath"
	"slices"
)

// loadDamage reads what earlier recoveries found broken, so that it is known
// also of segments that are not checked again. The file is a checkpoint of
// five fields: base offset, first and last byte, first and next offset.
func (r *recovery) loadDamage() error {
	l := r.log
	content, found, err := readFile(l.dir.files, filepath.Join(l.path, damageFile))
	if err != nil {
		return err
	}
	r.knownDamage = found
	r.damageByBase = map[int64][]damage{}
	entries, err := decodeCheckpoint(content, 5)
	for _, entry := range entries {
		n, fieldErr := integers(entry)
		if fieldErr != nil {
			err = fieldErr
			break
		}
		r.damageByBase[n[0]] = append(r.damageByBase[n[0]], damage{n[1], n[2], n[3], n[4]})
	}
	if err != nil {
		l.log.Warn("list of damage cannot be read; damage will be met when it is read", "error", err)
	}
	return nil
}

// saveDamage writes the list, if there is damage or was any.
func (r *recovery) saveDamage() error {
	l := r.log
	damaged := slices.ContainsFunc(l.segments, func(s *segment) bool { return len(s.damage) > 0 })
	if !damaged && !r.knownDamage {
		return nil
	}
	return l.saveDamage()
}

// atLeast is an offset that the segment had batches up to, as far as its indexes
// know of more than is in the file: the offset after the last one that they name,
// or base if all that they name is there.
func (s *segment) atLeast() (next int64, err error) {
	next = s.base
	inSegment := func(relative int32) bool { return relative >= 0 && s.base+int64(relative) < s.next }
	offsets, ok, err := s.offsets.newest()
	if err != nil {
		return next, err
	}
	if ok && int64(offsets.position) >= s.size && inSegment(offsets.offset) {
		next = s.base + int64(offsets.offset) + 1
	}
	times, ok, err := s.times.newest()
	if err != nil {
		return next, err
	}
	if ok && inSegment(times.offset) {
		next = max(next, s.base+int64(times.offset)+1)
	}
	return next, nil
}

// lacks is the damage of a segment whose batches end at offset, which no batch
// of it holds. There is none if its indexes know nothing of that offset: then
// compaction took the last batches, as Kafka's may.
func (s *segment) lacks(offset int64) (d damage, damaged bool, err error) {
	next, err := s.atLeast()
	return damage{s.size, s.size, offset, s.next}, next > offset, err
}
