package vfs

import (
	"io"
	"io/fs"
	"path/filepath"
	"sync"
	"syscall"
)

// Mem is a file system in memory that knows what was synced, so that
// [Mem.CrashClone] can show what a crash would have left. Content and size of
// a file are durable after File.Sync; that a name is in a folder is durable
// after SyncDir of that folder. Make one with [NewMem].
type Mem struct {
	mu    sync.Mutex
	root  *memDir
	locks map[string]bool
}

// NewMem returns an empty file system.
func NewMem() *Mem { return &Mem{root: newMemDir(), locks: map[string]bool{}} }

// OpenFile knows O_CREATE, O_EXCL and O_TRUNC.
func (m *Mem) OpenFile(name string, flag int, _ fs.FileMode) (File, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	dir, base, err := m.parent(name)
	if err != nil {
		return nil, pathError("open", name, err)
	}
	file, err := dir.openFile(base, flag)
	if err != nil {
		return nil, pathError("open", name, err)
	}
	return &memHandle{mem: m, file: file, name: name}, nil
}

// Stat tells name, size and whether it is a folder.
func (m *Mem) Stat(name string) (fs.FileInfo, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n, err := m.find(name)
	if err != nil {
		return nil, pathError("stat", name, err)
	}
	return infoOf(filepath.Base(name), n), nil
}

// ReadDir lists a folder in order of name.
func (m *Mem) ReadDir(name string) ([]fs.DirEntry, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	dir, err := m.findDir(name)
	if err != nil {
		return nil, pathError("readdir", name, err)
	}
	return dir.list(), nil
}

// MkdirAll makes the folders that are missing.
func (m *Mem) MkdirAll(name string, _ fs.FileMode) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	dir := m.root
	for _, part := range split(name) {
		child, ok := dir.now[part]
		if !ok {
			child = newMemDir()
			dir.set(part, child)
		}
		next, ok := child.(*memDir)
		if !ok {
			return pathError("mkdir", name, syscall.ENOTDIR)
		}
		dir = next
	}
	return nil
}

// Rename replaces newName.
func (m *Mem) Rename(oldName, newName string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	from, oldBase, err := m.parent(oldName)
	if err != nil {
		return pathError("rename", oldName, err)
	}
	n, ok := from.now[oldBase]
	if !ok {
		return pathError("rename", oldName, fs.ErrNotExist)
	}
	to, newBase, err := m.parent(newName)
	if err != nil {
		return pathError("rename", newName, err)
	}
	if from == to {
		from.rename(oldBase, newBase, n)
		return nil
	}
	to.set(newBase, n)
	from.unset(oldBase)
	return nil
}

// Remove removes a file or an empty folder.
func (m *Mem) Remove(name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	dir, base, err := m.parent(name)
	if err != nil {
		return pathError("remove", name, err)
	}
	n, ok := dir.now[base]
	if !ok {
		return pathError("remove", name, fs.ErrNotExist)
	}
	if folder, ok := n.(*memDir); ok && len(folder.now) > 0 {
		return pathError("remove", name, syscall.ENOTEMPTY)
	}
	dir.unset(base)
	return nil
}

// RemoveAll removes name and all in it; a name that is not there is no error.
func (m *Mem) RemoveAll(name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	dir, base, err := m.parent(name)
	if err == nil && dir.now[base] != nil {
		dir.unset(base)
	}
	return nil
}

// SyncDir makes the names in a folder durable.
func (m *Mem) SyncDir(name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	dir, err := m.findDir(name)
	if err != nil {
		return pathError("syncdir", name, err)
	}
	dir.sync()
	return nil
}

// SyncAll makes everything durable.
func (m *Mem) SyncAll(string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.root.syncAll()
	return nil
}

// Lock holds until its closer is closed; a clone after a crash holds none.
func (m *Mem) Lock(name string) (io.Closer, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	dir, base, err := m.parent(name)
	if err != nil {
		return nil, pathError("lock", name, err)
	}
	if m.locks[filepath.Clean(name)] {
		return nil, pathError("lock", name, ErrLocked)
	}
	if dir.now[base] == nil {
		dir.set(base, &memFile{})
	}
	m.locks[filepath.Clean(name)] = true
	return &memLock{mem: m, name: filepath.Clean(name)}, nil
}

type memLock struct {
	mem  *Mem
	name string
}

func (l *memLock) Close() error {
	l.mem.mu.Lock()
	defer l.mem.mu.Unlock()
	delete(l.mem.locks, l.name)
	return nil
}
