package vfs

import (
	"io"
	"io/fs"
	"slices"
)

// memFile is content, and the changes to it since it was last synced.
type memFile struct {
	now     []byte
	durable []byte
	// pending, applied to durable in order, gives now.
	pending []fileChange
}

// fileChange is a write of data at, or, if data is nil, a new size of at.
type fileChange struct {
	at   int64
	data []byte
}

// sizeAfter is the size of a file of size bytes after the change.
func (c fileChange) sizeAfter(size int64) int64 {
	if c.data == nil {
		return c.at
	}
	return max(size, c.at+int64(len(c.data)))
}

func (f *memFile) write(at int64, data []byte) {
	f.pending = append(f.pending, fileChange{at, slices.Clone(data)})
	f.now = resized(f.now, max(int64(len(f.now)), at+int64(len(data))))
	copy(f.now[at:], data)
}

func (f *memFile) truncate(size int64) {
	f.pending = append(f.pending, fileChange{at: size})
	f.now = resized(f.now, size)
}

func (f *memFile) sync() {
	f.durable, f.pending = slices.Clone(f.now), nil
}

// resized cuts b, or fills it up with zeros.
func resized(b []byte, size int64) []byte {
	if size <= int64(len(b)) {
		return b[:size]
	}
	grown := size - int64(len(b))
	old := len(b)
	b = slices.Grow(b, int(grown))[:size]
	clear(b[old:])
	return b
}

// memHandle is an open file. The lock of the file system guards its content.
type memHandle struct {
	mem  *Mem
	file *memFile
	name string
	// gone is set by Close.
	gone bool
}

func (h *memHandle) Name() string { return h.name }

func (h *memHandle) ReadAt(p []byte, off int64) (int, error) {
	h.mem.mu.Lock()
	defer h.mem.mu.Unlock()
	if err := h.usable("read"); err != nil {
		return 0, err
	}
	if off < 0 {
		return 0, pathError("read", h.name, fs.ErrInvalid)
	}
	if off >= int64(len(h.file.now)) {
		return 0, io.EOF
	}
	n := copy(p, h.file.now[off:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (h *memHandle) WriteAt(p []byte, off int64) (int, error) {
	h.mem.mu.Lock()
	defer h.mem.mu.Unlock()
	if err := h.usable("write"); err != nil {
		return 0, err
	}
	if off < 0 {
		return 0, pathError("write", h.name, fs.ErrInvalid)
	}
	if len(p) > 0 {
		h.file.write(off, p)
	}
	return len(p), nil
}

func (h *memHandle) Size() (int64, error) {
	h.mem.mu.Lock()
	defer h.mem.mu.Unlock()
	return int64(len(h.file.now)), h.usable("stat")
}

func (h *memHandle) Truncate(size int64) error {
	h.mem.mu.Lock()
	defer h.mem.mu.Unlock()
	if err := h.usable("truncate"); err != nil {
		return err
	}
	h.file.truncate(size)
	return nil
}

func (h *memHandle) Sync() error {
	h.mem.mu.Lock()
	defer h.mem.mu.Unlock()
	if err := h.usable("sync"); err != nil {
		return err
	}
	h.file.sync()
	return nil
}

func (h *memHandle) Close() error {
	h.mem.mu.Lock()
	defer h.mem.mu.Unlock()
	if err := h.usable("close"); err != nil {
		return err
	}
	h.gone = true
	return nil
}

func (h *memHandle) usable(op string) error {
	if h.gone {
		return pathError(op, h.name, fs.ErrClosed)
	}
	return nil
}
