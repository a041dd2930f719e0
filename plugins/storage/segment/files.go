package segment

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"odradek.dev/sdk/vfs"
)

// maxSmallFile bounds what is read whole: checkpoints and states.
const maxSmallFile = 256 << 20

// replaceFile writes a small file so that a crash leaves the old content or
// the new one, and the new one for sure once it has returned.
func replaceFile(files vfs.FS, path string, content []byte) error {
	if err := writeFile(files, path+temporarySuffix, content); err != nil {
		return err
	}
	err := files.Rename(path+temporarySuffix, path)
	if info, statErr := files.Stat(path); err != nil && statErr == nil && info.IsDir() {
		// A folder gives way to no file by itself.
		if err = clearAway(files, path); err == nil {
			err = files.Rename(path+temporarySuffix, path)
		}
	}
	if err != nil {
		return err
	}
	return files.SyncDir(filepath.Dir(path))
}

func writeFile(files vfs.FS, path string, content []byte) error {
	return writeThen(files, path, content, vfs.File.Sync)
}

// writeUnsynced leaves the sync to whoever needs the file after a crash.
func writeUnsynced(files vfs.FS, path string, content []byte) error {
	return writeThen(files, path, content, func(vfs.File) error { return nil })
}

func writeThen(files vfs.FS, path string, content []byte, then func(vfs.File) error) error {
	f, err := files.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	if _, err = f.WriteAt(content, 0); err == nil {
		err = then(f)
	}
	return errors.Join(err, f.Close())
}

// syncFile passes over a file that is not there.
func syncFile(files vfs.FS, path string) error {
	f, err := files.OpenFile(path, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// readFile returns the content; ok is false if there is no such file.
func readFile(files vfs.FS, path string) (content []byte, ok bool, err error) {
	f, err := files.OpenFile(path, os.O_RDONLY, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	size, err := f.Size()
	if err != nil {
		return nil, false, err
	}
	if size > maxSmallFile {
		return nil, false, fmt.Errorf("%s has %d bytes, more than such a file can have", path, size)
	}
	content = make([]byte, size)
	if n, err := f.ReadAt(content, 0); n < len(content) {
		return nil, false, fmt.Errorf("%s: read %d of %d bytes: %w", path, n, size, err)
	} else if err != nil && !errors.Is(err, io.EOF) {
		return nil, false, err
	}
	return content, true, nil
}

// makeFolder makes a folder, and those above it, for good.
func makeFolder(files vfs.FS, path string) error {
	var parents []string
	for at := path; ; at = filepath.Dir(at) {
		if _, err := files.Stat(at); err == nil || at == filepath.Dir(at) {
			break
		}
		parents = append(parents, filepath.Dir(at))
	}
	if err := files.MkdirAll(path, 0o755); err != nil {
		return err
	}
	for _, parent := range parents {
		if err := files.SyncDir(parent); err != nil {
			return err
		}
	}
	return nil
}

// removeFile takes a file that is not there for removed.
func removeFile(files vfs.FS, path string) error {
	if err := files.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
