package vfs

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// memNode is a *memFile or a *memDir.
type memNode any

// memDir is a folder: the names in it, those that would be there after a
// crash, and the changes between the two.
type memDir struct {
	now, durable map[string]memNode
	// pending, applied to durable in order, gives now.
	pending []dirChange
}

// dirChange sets or removes names. The two halves of a rename are one change,
// as a journal makes them.
type dirChange struct {
	set   string
	node  memNode
	unset string
}

func newMemDir() *memDir {
	return &memDir{now: map[string]memNode{}, durable: map[string]memNode{}}
}

func (d *memDir) set(name string, n memNode) { d.change(dirChange{set: name, node: n}) }

func (d *memDir) unset(name string) { d.change(dirChange{unset: name}) }

func (d *memDir) rename(oldName, newName string, n memNode) {
	d.change(dirChange{set: newName, node: n, unset: oldName})
}

func (d *memDir) change(c dirChange) {
	d.pending = append(d.pending, c)
	c.apply(d.now)
}

func (c dirChange) apply(to map[string]memNode) {
	if c.unset != "" {
		delete(to, c.unset)
	}
	if c.set != "" {
		to[c.set] = c.node
	}
}

func (d *memDir) sync() {
	d.durable, d.pending = maps.Clone(d.now), nil
}

// syncAll is sync for the folder and all that is in it.
func (d *memDir) syncAll() {
	d.sync()
	for _, n := range d.now {
		switch n := n.(type) {
		case *memDir:
			n.syncAll()
		case *memFile:
			n.sync()
		}
	}
}

func (d *memDir) openFile(name string, flag int) (*memFile, error) {
	n, ok := d.now[name]
	switch {
	case ok && flag&os.O_CREATE != 0 && flag&os.O_EXCL != 0:
		return nil, fs.ErrExist
	case !ok && flag&os.O_CREATE == 0:
		return nil, fs.ErrNotExist
	case !ok:
		n = &memFile{}
		d.set(name, n)
	}
	file, isFile := n.(*memFile)
	if !isFile {
		return nil, syscall.EISDIR
	}
	if flag&os.O_TRUNC != 0 {
		file.truncate(0)
	}
	return file, nil
}

func (d *memDir) list() []fs.DirEntry {
	entries := make([]fs.DirEntry, 0, len(d.now))
	for _, name := range slices.Sorted(maps.Keys(d.now)) {
		entries = append(entries, fs.FileInfoToDirEntry(infoOf(name, d.now[name])))
	}
	return entries
}

// split gives the parts of a path; a relative one begins at the root too.
func split(name string) []string {
	parts := strings.Split(filepath.ToSlash(filepath.Clean(name)), "/")
	return slices.DeleteFunc(parts, func(part string) bool { return part == "" || part == "." })
}

func (m *Mem) find(name string) (memNode, error) {
	var n memNode = m.root
	for _, part := range split(name) {
		dir, ok := n.(*memDir)
		if !ok {
			return nil, syscall.ENOTDIR
		}
		if n, ok = dir.now[part]; !ok {
			return nil, fs.ErrNotExist
		}
	}
	return n, nil
}

func (m *Mem) findDir(name string) (*memDir, error) {
	n, err := m.find(name)
	if err != nil {
		return nil, err
	}
	dir, ok := n.(*memDir)
	if !ok {
		return nil, syscall.ENOTDIR
	}
	return dir, nil
}

func (m *Mem) parent(name string) (*memDir, string, error) {
	dir, err := m.findDir(filepath.Dir(filepath.Clean(name)))
	return dir, filepath.Base(name), err
}

func pathError(op, name string, err error) error {
	return &fs.PathError{Op: op, Path: name, Err: err}
}

type memInfo struct {
	name string
	size int64
	dir  bool
}

func infoOf(name string, n memNode) memInfo {
	if file, ok := n.(*memFile); ok {
		return memInfo{name: name, size: int64(len(file.now))}
	}
	return memInfo{name: name, dir: true}
}

func (i memInfo) Name() string       { return i.name }
func (i memInfo) Size() int64        { return i.size }
func (i memInfo) ModTime() time.Time { return time.Time{} }
func (i memInfo) IsDir() bool        { return i.dir }
func (i memInfo) Sys() any           { return nil }

func (i memInfo) Mode() fs.FileMode {
	if i.dir {
		return fs.ModeDir | 0o755
	}
	return 0o644
}
