package partition

import (
	"fmt"
	"maps"
	"sync"

	"odradek.dev/core/internal/metadata"
	"odradek.dev/sdk/storage"
)

// directories says which log is in which directory of log.dirs, where a new one
// goes, and which directories have failed. Safe for concurrent use; its mutex
// may be taken under a partition's.
type directories struct {
	mu sync.Mutex
	// order is that of log.dirs.
	order []string
	// ids are the directories with their own ids, in that order. An engine that
	// has none gives zero, and is not among them.
	ids []metadata.Directory
	// counts is the number of logs in a directory.
	counts map[string]int
	// found are logs that were there at the start and have not been opened.
	found map[storage.ID]string
	// serving are the partitions whose logs are in a directory.
	serving map[string]map[*Partition]struct{}
	// failures has why a directory is offline. It stays so.
	failures map[string]error
}

func newDirectories() *directories {
	return &directories{
		counts: make(map[string]int), found: make(map[storage.ID]string),
		serving: make(map[string]map[*Partition]struct{}), failures: make(map[string]error),
	}
}

// add takes a directory that was mounted, also if it errs. Two logs of one
// partition are refused: nothing says which of them is whole.
func (d *directories) add(dir string, logs []storage.ID) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.order = append(d.order, dir)
	d.counts[dir] = len(logs)
	for _, id := range logs {
		if other, ok := d.found[id]; ok {
			return fmt.Errorf("the log of %s-%d is also in %s; move one of the two out of log.dirs, and keep the one that is whole",
				id.Topic, id.Partition, other)
		}
		d.found[id] = dir
	}
	return nil
}

// identify takes note of the id of a directory that was mounted.
func (d *directories) identify(dir string, id metadata.DirectoryID) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if id != (metadata.DirectoryID{}) {
		d.ids = append(d.ids, metadata.Directory{ID: id, Path: dir})
	}
}

// mountedAs is the directories that were mounted, with their ids. The slice must
// not be modified.
func (d *directories) mountedAs() []metadata.Directory {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.ids
}

// holds reports whether a log was there at the start and has not been opened.
func (d *directories) holds(id storage.ID) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, ok := d.found[id]
	return ok
}

func (d *directories) mounted() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.order
}

// release returns the directories that are mounted still, for their last time.
func (d *directories) release() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	var held []string
	for _, dir := range d.order {
		if d.failures[dir] == nil {
			held = append(held, dir)
		}
	}
	d.order = nil
	return held
}

// place returns the directory of a log: the one that it is in; or that of a log
// which says no topic id, and so is this one; or that of an earlier topic's log of
// the name, which the engine sets aside when it opens this one; or of those that
// have not failed the one with the fewest logs. Of several earlier logs it is the
// first, so that a start which was cut short sets the same one aside when it comes
// again; the others stay where they are.
func (d *directories) place(id storage.ID) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if dir, ok := d.found[id]; ok {
		delete(d.found, id)
		return dir
	}
	for _, other := range d.namesakes(id) {
		if d.failures[other.dir] == nil {
			delete(d.found, other.id)
			return other.dir
		}
	}
	fewest := d.order[0]
	for _, dir := range d.order[1:] {
		if d.failures[dir] != nil {
			continue
		}
		if d.failures[fewest] != nil || d.counts[dir] < d.counts[fewest] {
			fewest = dir
		}
	}
	d.counts[fewest]++
	return fewest
}

// serves takes note of a partition that is about to be opened in its directory,
// and returns why it cannot be if the directory has failed.
func (d *directories) serves(p *Partition) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.failures[p.dir]; err != nil {
		return err
	}
	if d.serving[p.dir] == nil {
		d.serving[p.dir] = make(map[*Partition]struct{})
	}
	d.serving[p.dir][p] = struct{}{}
	return nil
}

// closed takes note that a partition is over.
func (d *directories) closed(p *Partition) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.serving[p.dir], p)
}

// fail takes a directory offline and returns the partitions that go with it, and
// how many directories are left. first is false if it was offline before.
func (d *directories) fail(dir string, cause error) (gone []*Partition, left int, first bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.failures[dir] != nil {
		return nil, 0, false
	}
	d.failures[dir] = cause
	for p := range d.serving[dir] {
		gone = append(gone, p)
	}
	delete(d.serving, dir)
	for _, other := range d.order {
		if d.failures[other] == nil {
			left++
		}
	}
	return gone, left, true
}

// failure is why a directory is offline, nil if it is not.
func (d *directories) failure(dir string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.failures[dir]
}

// failed is the directories that are offline, and why.
func (d *directories) failed() map[string]error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return maps.Clone(d.failures)
}

// offline is the number of directories that have failed.
func (d *directories) offline() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.failures)
}

// removed takes note that a log is gone.
func (d *directories) removed(id storage.ID, dir string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.found, id)
	d.counts[dir]--
}

// unopened returns the logs that no topic has asked for.
func (d *directories) unopened() map[storage.ID]string {
	d.mu.Lock()
	defer d.mu.Unlock()
	out := make(map[storage.ID]string, len(d.found))
	for id, dir := range d.found {
		out[id] = dir
	}
	return out
}
