package segment

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"odradek.dev/sdk/vfs"
)

// canBeMadeAnew reports whether a log can do without the file: it is made again
// from the batches, or from what the cluster knows of the topic.
func canBeMadeAnew(name string) bool {
	isOne := func(suffix string) bool {
		_, ok := parseOffsetName(name, suffix)
		return ok
	}
	return name == epochsFile || name == metadataFile ||
		slices.ContainsFunc([]string{indexSuffix, timeIndexSuffix, snapshotSuffix}, isOne)
}

// usable reports whether a file of the log can be read and written, so that one
// that cannot be shows before the log is served. One that can be made anew gives
// way; one with batches is an error. Files that look as the engine makes them
// are not opened for it: a start has many.
func (l *partitionLog) usable(name string, mode fs.FileMode) (bool, error) {
	_, batches := parseOffsetName(name, logSuffix)
	asMade := mode.IsRegular() && mode.Perm()&0o600 == 0o600
	if asMade || !batches && !canBeMadeAnew(name) {
		return true, nil
	}
	path := filepath.Join(l.path, name)
	err := tryToOpen(l.dir.files, path)
	if err == nil {
		return true, nil
	}
	if batches || blameOf(err) != ofFile {
		return false, err
	}
	l.log.Warn("file cannot be used and is made anew", "file", name, "error", err)
	return false, clearAway(l.dir.files, path)
}

func tryToOpen(files vfs.FS, path string) error {
	f, err := files.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return f.Close()
}

// clearAway makes the name free: a file or an empty folder is removed, a folder
// with something in it is somebody's and keeps it under another name.
func clearAway(files vfs.FS, path string) error {
	err := removeFile(files, path)
	if err == nil {
		return nil
	}
	if renameErr := files.Rename(path, path+unusableSuffix); renameErr != nil {
		return errors.Join(err, renameErr)
	}
	return nil
}
