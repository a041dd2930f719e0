package vfs

import (
	"maps"
	"math/rand/v2"
	"slices"
)

// Persistence is how much of what was not synced a crash leaves.
type Persistence int

const (
	// KeepAll: a killed process. The page cache outlives it.
	KeepAll Persistence = iota
	// KeepNone: a power cut that takes all that was not synced.
	KeepNone
	// KeepPrefix: a power cut after which each file and each folder has its
	// changes in order up to some point, which may lie inside a write.
	KeepPrefix
	// KeepSubset: a power cut after which each sector of a file and the file's
	// size are each as they were at some point since the last sync, in no
	// order, and so is each name of a folder. It is what a disk may do, and
	// leaves holes of zeros.
	KeepSubset
)

// SectorSize is what [KeepSubset] loses or keeps as a whole.
const SectorSize = 512

// CrashClone returns the file system as a crash at this moment would have left
// it, with nothing open and no lock held. The same seed gives the same one.
// The original goes on.
func (m *Mem) CrashClone(how Persistence, seed uint64) *Mem {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := crash{how: how, random: rand.New(rand.NewPCG(seed, uint64(how))), files: map[*memFile]*memFile{}}
	return &Mem{root: c.dir(m.root), locks: map[string]bool{}}
}

type crash struct {
	how    Persistence
	random *rand.Rand
	// files keeps a file that two names lead to one file.
	files map[*memFile]*memFile
}

func (c *crash) dir(d *memDir) *memDir {
	names := c.names(d)
	out := newMemDir()
	for _, name := range slices.Sorted(maps.Keys(names)) {
		switch n := names[name].(type) {
		case *memDir:
			out.now[name] = c.dir(n)
		case *memFile:
			out.now[name] = c.file(n)
		}
	}
	out.sync()
	return out
}

func (c *crash) names(d *memDir) map[string]memNode {
	if c.how == KeepAll {
		return d.now
	}
	names := maps.Clone(d.durable)
	keep := c.count(len(d.pending))
	for i, change := range d.pending {
		if c.how == KeepSubset && c.random.IntN(2) == 0 || c.how != KeepSubset && i < keep {
			change.apply(names)
		}
	}
	return names
}

// count draws how many of n changes, in order, are kept.
func (c *crash) count(n int) int {
	if c.how == KeepNone {
		return 0
	}
	return c.random.IntN(n + 1)
}

func (c *crash) file(f *memFile) *memFile {
	if done := c.files[f]; done != nil {
		return done
	}
	out := &memFile{now: c.content(f)}
	out.sync()
	c.files[f] = out
	return out
}

func (c *crash) content(f *memFile) []byte {
	switch c.how {
	case KeepAll:
		return append([]byte(nil), f.now...)
	case KeepSubset:
		return c.sectors(f)
	default:
		return c.prefix(f)
	}
}

// prefix keeps some changes whole and, of a write after them, a part.
func (c *crash) prefix(f *memFile) []byte {
	kept := memFile{now: append([]byte(nil), f.durable...)}
	keep := c.count(len(f.pending))
	for _, change := range f.pending[:keep] {
		kept.apply(change)
	}
	if c.how == KeepPrefix && keep < len(f.pending) {
		if torn := f.pending[keep]; torn.data != nil {
			kept.apply(fileChange{torn.at, torn.data[:c.random.IntN(len(torn.data)+1)]})
		}
	}
	return kept.now
}

func (f *memFile) apply(c fileChange) {
	if c.data == nil {
		f.truncate(c.at)
	} else {
		f.write(c.at, c.data)
	}
}

// sectors draws for the size and for each sector how many of the changes had
// reached the disk.
func (c *crash) sectors(f *memFile) []byte {
	size, longest := int64(len(f.durable)), int64(len(f.durable))
	keep := c.count(len(f.pending))
	running := size
	for i, change := range f.pending {
		running = change.sizeAfter(running)
		longest = max(longest, running)
		if i < keep {
			size = running
		}
	}
	out := resized(append([]byte(nil), f.durable...), longest)
	for at := int64(0); at < longest; at += SectorSize {
		end := min(at+SectorSize, longest)
		for _, change := range f.pending[:c.count(len(f.pending))] {
			change.applyWithin(out, at, end)
		}
	}
	return resized(out, size)
}

// applyWithin makes the part of the change that concerns content[from:to].
func (c fileChange) applyWithin(content []byte, from, to int64) {
	if c.data == nil {
		if c.at < to {
			clear(content[max(from, c.at):to])
		}
		return
	}
	start, end := max(from, c.at), min(to, c.at+int64(len(c.data)))
	if start < end {
		copy(content[start:end], c.data[start-c.at:])
	}
}
