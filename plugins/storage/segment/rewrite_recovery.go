package segment

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
)

// finishRewrites carries on what a crash has ended between the naming of a
// .log.swap and its last name, and lists the log's folder then.
func (l *partitionLog) finishRewrites() ([]fs.DirEntry, error) {
	entries, err := l.dir.files.ReadDir(l.path)
	if err != nil {
		return nil, err
	}
	finished := false
	for _, entry := range entries {
		base, ok := parseOffsetName(entry.Name(), logSuffix+swapSuffix)
		if !ok {
			continue
		}
		if err := l.finishRewrite(base, entries); err != nil {
			return nil, err
		}
		finished = true
	}
	if !finished {
		return entries, nil
	}
	return l.dir.files.ReadDir(l.path)
}

// finishRewrite removes what the new segment replaces, for good, and gives the
// new one its name. An index that is not there is made anew.
func (l *partitionLog) finishRewrite(base int64, entries []fs.DirEntry) error {
	to, err := l.swappedEnd(base)
	if err != nil {
		return err
	}
	l.log.Info("rewrite of segments that a stop has interrupted is finished", "from", base, "to", to)
	for _, suffix := range []string{logSuffix, indexSuffix, timeIndexSuffix} {
		for _, entry := range entries {
			old, ok := parseOffsetName(entry.Name(), suffix)
			if !ok || old < base || old >= to || old == base && suffix == logSuffix {
				continue
			}
			if err := removeFile(l.dir.files, filepath.Join(l.path, entry.Name())); err != nil {
				return err
			}
		}
	}
	if err := l.dir.files.SyncDir(l.path); err != nil {
		return err
	}
	for _, suffix := range []string{indexSuffix, timeIndexSuffix, logSuffix} {
		err := l.rename(base, suffix+swapSuffix, suffix)
		if err != nil && (suffix == logSuffix || !errors.Is(err, fs.ErrNotExist)) {
			return err
		}
	}
	return l.dir.files.SyncDir(l.path)
}

// swappedEnd is the offset behind the last batch of a .log.swap, which is the
// end of what it replaces.
func (l *partitionLog) swappedEnd(base int64) (next int64, err error) {
	s := &segment{base: base, file: l.dir.engine.cache.file(filepath.Join(l.path, offsetName(base, logSuffix+swapSuffix)))}
	info, err := l.dir.files.Stat(s.file.path)
	if err != nil {
		return 0, err
	}
	s.size = info.Size()
	w := s.walk(0, base)
	defer w.done()
	w.strict = true
	for next = base; ; {
		b, ok, err := w.next()
		if err != nil || !ok {
			return next, errors.Join(err, s.file.close())
		}
		next = b.next
	}
}

// unfinished says that a file is of a rewrite that never came to replace
// anything.
func unfinished(name string) bool {
	return strings.HasSuffix(name, cleanedSuffix) || strings.HasSuffix(name, swapSuffix)
}
