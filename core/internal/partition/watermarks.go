package partition

import (
	"sync"

	"odradek.dev/sdk/clock"
	"odradek.dev/sdk/storage"
)

// watermarks has the high watermarks kept in the directories of log.dirs within
// replica.high.watermark.checkpoint.interval.ms after they have moved. Nothing
// ticks while none moves.
type watermarks struct {
	host *host

	mu sync.Mutex
	// moved are the partitions that are marked.
	moved []*Partition
	timer clock.Timer
	over  bool

	// saving is held while they are written, so that an older one does not come
	// after a newer one. It is taken before mu and before a partition's mutex.
	saving sync.Mutex
}

// changed notes a partition, whose mutex is held, once until it is saved.
func (w *watermarks) changed(p *Partition) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.moved = append(w.moved, p)
	if interval := w.host.Config.HighWatermarkCheckpointMs; interval > 0 && w.timer == nil && !w.over {
		w.timer = w.host.Clock.AfterFunc(milliseconds(interval), w.save)
	}
}

// save writes those that have moved, directory by directory.
func (w *watermarks) save() {
	w.saving.Lock()
	defer w.saving.Unlock()
	w.mu.Lock()
	moved := w.moved
	w.moved, w.timer = nil, nil
	w.mu.Unlock()
	byDir := make(map[string][]storage.HighWatermark)
	for _, p := range moved {
		p.mu.Lock()
		p.marked = false
		byDir[p.dir] = append(byDir[p.dir], storage.HighWatermark{ID: p.id, Offset: p.visible.Load()})
		p.mu.Unlock()
	}
	for dir, marks := range byDir {
		w.saveIn(dir, marks)
	}
}

func (w *watermarks) saveIn(dir string, marks []storage.HighWatermark) {
	if w.host.dirs.failure(dir) != nil {
		return
	}
	err := w.host.Engine.SaveHighWatermarks(w.host.ctx(), dir, marks)
	if err != nil && !w.host.noteDirectory(dir, err) {
		w.host.Log.Warn("high watermarks cannot be kept; they are tried again when one has moved", "dir", dir, "error", err)
	}
}

// stop saves for the last time.
func (w *watermarks) stop() {
	w.mu.Lock()
	w.over = true
	if w.timer != nil {
		w.timer.Stop()
	}
	w.mu.Unlock()
	w.save()
}
