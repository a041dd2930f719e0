package partition

import (
	"errors"
	"fmt"

	"odradek.dev/sdk/storage"
)

// noteDirectory takes a directory of log.dirs offline if err says that it has
// failed, and says whether it does. It returns at once: the caller may hold the
// mutex of a partition, and so may another one that meets the same failure.
func (h *host) noteDirectory(dir string, err error) bool {
	if !errors.Is(err, storage.ErrDirectoryFailed) {
		return false
	}
	gone, left, first := h.dirs.fail(dir, err)
	if !first {
		return true
	}
	h.Log.Error("log directory goes offline with its partitions; the other directories serve on",
		"dir", dir, "partitions", len(gone), "directories_left", left, "error", err)
	h.failingMu.Lock()
	if !h.stopped {
		h.failing.Go(func() { h.abandon(dir, gone, err) })
	}
	h.failingMu.Unlock()
	if left == 0 && h.Failed != nil {
		h.Failed(fmt.Errorf("log.dirs: no directory is left to serve from, the last was %s: %w", dir, err))
	}
	return true
}

// abandon ends the service of partitions whose directory has failed and lets it
// go. The directory is not taken again before the next start.
func (h *host) abandon(dir string, gone []*Partition, cause error) {
	for _, p := range gone {
		p.mu.Lock()
		if p.failure == nil {
			p.retire(offline(cause))
		}
		p.mu.Unlock()
		h.files.DropOwner(p)
	}
	if err := h.Engine.Unmount(h.ctx(), dir); err != nil {
		h.Log.Warn("cannot let go of a failed log directory", "dir", dir, "error", err)
	}
}

// endFailing waits for directories that are being let go, and sees to it that
// none follows: then they are let go by the one who closes all.
func (h *host) endFailing() {
	h.failingMu.Lock()
	h.stopped = true
	h.failingMu.Unlock()
	h.failing.Wait()
}
