package partition

import (
	"sync"

	"odradek.dev/sdk/storage"
)

// directories says which log is in which directory of log.dirs, and where a
// new one goes. Safe for concurrent use.
type directories struct {
	mu sync.Mutex
	// order is that of log.dirs.
	order []string
	// counts is the number of logs in a directory.
	counts map[string]int
	// found are logs that were there at the start and have not been opened.
	found map[storage.ID]string
}

func newDirectories() *directories {
	return &directories{counts: make(map[string]int), found: make(map[storage.ID]string)}
}

func (d *directories) add(dir string, logs []storage.ID) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.order = append(d.order, dir)
	d.counts[dir] = len(logs)
	for _, id := range logs {
		d.found[id] = dir
	}
}

func (d *directories) mounted() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.order
}

// place returns the directory of a log: the one that it is in, or the one with
// the fewest logs.
func (d *directories) place(id storage.ID) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if dir, ok := d.found[id]; ok {
		delete(d.found, id)
		return dir
	}
	fewest := d.order[0]
	for _, dir := range d.order[1:] {
		if d.counts[dir] < d.counts[fewest] {
			fewest = dir
		}
	}
	d.counts[fewest]++
	return fewest
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
