package segment

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"odradek.dev/sdk/storage"
	"odradek.dev/sdk/vfs"
)

// epochs is the leader epochs of a log, kept in leader-epoch-checkpoint. Both
// fields strictly ascend, but for the last entry, which may begin where the
// one before it does when that one had no batches: then it replaces it.
type epochs struct {
	files vfs.FS
	path  string

	// writing is held while the file is written. It is taken before mu, which
	// is not: an append must not wait for the disk.
	writing sync.Mutex

	mu     sync.Mutex
	starts []storage.EpochStart
	// changes counts the changes of starts, and saved is the count up to which
	// they are in the file. exists says that there is one.
	changes, saved uint64
	exists         bool
}

func (e *epochs) list() []storage.EpochStart {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.starts)
}

// begins reports whether epoch is later than all that are known. -1 stands
// for no epoch.
func (e *epochs) begins(epoch int32) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return epoch >= 0 && (len(e.starts) == 0 || epoch > e.starts[len(e.starts)-1].Epoch)
}

// note remembers that epoch begins at start, which its first batch says too: if
// a crash comes before save, it is found in the batches.
func (e *epochs) note(epoch int32, start int64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.starts = began(e.starts, epoch, start)
	e.changes++
}

// begin notes that epoch begins at start, and has it on the disk.
func (e *epochs) begin(epoch int32, start int64) error {
	return e.change(func(starts []storage.EpochStart) []storage.EpochStart { return began(starts, epoch, start) })
}

func began(starts []storage.EpochStart, epoch int32, start int64) []storage.EpochStart {
	keep := slices.IndexFunc(starts, func(s storage.EpochStart) bool { return s.Start >= start })
	if keep < 0 {
		keep = len(starts)
	}
	return append(slices.Clone(starts[:keep]), storage.EpochStart{Epoch: epoch, Start: start})
}

// cutEnd drops the epochs that begin at offset or later.
func (e *epochs) cutEnd(offset int64) error {
	return e.change(func(starts []storage.EpochStart) []storage.EpochStart {
		return slices.DeleteFunc(slices.Clone(starts), func(s storage.EpochStart) bool { return s.Start >= offset })
	})
}

// cutStart has the epoch in which the log starts begin there, and drops those
// before it.
func (e *epochs) cutStart(start int64) error {
	return e.change(func(starts []storage.EpochStart) []storage.EpochStart {
		starts = slices.Clone(starts)
		for len(starts) > 1 && starts[1].Start <= start {
			starts = starts[1:]
		}
		if len(starts) > 0 {
			starts[0].Start = max(starts[0].Start, start)
		}
		return starts
	})
}

// change replaces the entries once they are on the disk.
func (e *epochs) change(to func([]storage.EpochStart) []storage.EpochStart) error {
	e.writing.Lock()
	defer e.writing.Unlock()
	e.mu.Lock()
	defer e.mu.Unlock()
	starts := to(e.starts)
	if slices.Equal(starts, e.starts) {
		return nil
	}
	if err := replaceFile(e.files, e.path, encodeEpochs(starts)); err != nil {
		return err
	}
	e.changes++
	e.starts, e.saved, e.exists = starts, e.changes, true
	return nil
}

// unsaved reports whether the file is behind. With a clean stop it is there
// also if there is nothing in it: then opening need not look for epochs in the
// batches.
func (e *epochs) unsaved(closing bool) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.saved != e.changes || closing && !e.exists
}

// save writes the file.
func (e *epochs) save() error { return e.write(replaceFile) }

// stage makes the file that swap puts in place, for one who syncs in between
// and after.
func (e *epochs) stage() error {
	return e.write(func(files vfs.FS, path string, content []byte) error {
		return writeUnsynced(files, path+temporarySuffix, content)
	})
}

func (e *epochs) swap() error { return e.files.Rename(e.path+temporarySuffix, e.path) }

// write writes all that was noted before the call.
func (e *epochs) write(how func(files vfs.FS, path string, content []byte) error) error {
	e.writing.Lock()
	defer e.writing.Unlock()
	e.mu.Lock()
	content, changes := encodeEpochs(e.starts), e.changes
	e.mu.Unlock()
	if err := how(e.files, e.path, content); err != nil {
		return err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.saved, e.exists = changes, true
	return nil
}

// behind takes save back: what was staged did not come to be the file.
func (e *epochs) behind() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.changes++
}

// load reads the file; ok is false if it is missing or damaged, or has lost its
// content.
func (e *epochs) load() (ok bool, err error) {
	content, found, err := readFile(e.files, e.path)
	if err != nil || !found {
		return false, err
	}
	starts, err := decodeEpochs(content)
	if err != nil || len(content) == 0 {
		return false, nil
	}
	e.starts, e.exists = starts, true
	return true, nil
}

func encodeEpochs(starts []storage.EpochStart) []byte {
	lines := make([]string, len(starts), len(starts)+1)
	for i, s := range starts {
		lines[i] = fmt.Sprintf("%d %d", s.Epoch, s.Start)
	}
	return encodeCheckpoint(lines)
}

func decodeEpochs(content []byte) ([]storage.EpochStart, error) {
	entries, err := decodeCheckpoint(content, 2)
	if err != nil {
		return nil, err
	}
	starts := make([]storage.EpochStart, len(entries))
	for i, entry := range entries {
		n, err := integers(entry)
		if err != nil {
			return nil, err
		}
		if n[0] < 0 || n[0] > math.MaxInt32 || n[1] < 0 {
			return nil, fmt.Errorf("checkpoint entry %q is not an epoch and an offset", entry)
		}
		starts[i] = storage.EpochStart{Epoch: int32(n[0]), Start: n[1]}
		if i > 0 && (starts[i].Epoch <= starts[i-1].Epoch || starts[i].Start <= starts[i-1].Start) {
			return nil, fmt.Errorf("checkpoint entry %q does not ascend", entry)
		}
	}
	return starts, nil
}
