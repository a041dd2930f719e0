package segment

import (
	"fmt"
	"path/filepath"
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

func (r *recovery) saveDamage() error {
	l := r.log
	var lines []string
	for _, s := range l.segments {
		for _, d := range s.damage {
			lines = append(lines, fmt.Sprintf("%d %d %d %d %d", s.base, d.from, d.to, d.first, d.next))
		}
	}
	if len(lines) == 0 && !r.knownDamage {
		return nil
	}
	return replaceFile(l.dir.files, filepath.Join(l.path, damageFile), encodeCheckpoint(lines))
}
