package segment

import (
	"errors"
	"maps"
	"path/filepath"
	"time"
)

// writeCheckpoints writes the checkpoints; then no log that was removed before
// is in them.
func (d *directory) writeCheckpoints() error {
	d.mu.Lock()
	removed := maps.Clone(d.removed)
	d.mu.Unlock()
	if err := errors.Join(d.writeRecoveryPoints(), d.writeStarts(), d.writeCompacted()); err != nil {
		return d.diskError(err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	maps.DeleteFunc(d.removed, func(p partition, removal uint64) bool { return removed[p] == removal })
	return nil
}

// forgetRemoved sees to it that the checkpoints have nothing of an earlier log
// of the name.
func (d *directory) forgetRemoved(p partition) error {
	d.mu.Lock()
	_, known := d.removed[p]
	d.mu.Unlock()
	if !known {
		return nil
	}
	return d.writeCheckpoints()
}

// writeRecoveryPoints writes recovery-point-offset-checkpoint.
func (d *directory) writeRecoveryPoints() error {
	d.writing.Lock()
	defer d.writing.Unlock()
	d.mu.Lock()
	points := offsets{}
	for p, state := range d.logs {
		point := state.point
		if state.open != nil {
			point = state.open.recoveryPoint()
		}
		if !state.opening {
			points[p] = point
		} else if state.pointOnDisk > 0 {
			points[p] = state.pointOnDisk
		}
	}
	d.mu.Unlock()
	if err := replaceFile(d.files, filepath.Join(d.path, recoveryPointsFile), points.encode()); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for p, point := range points {
		if state := d.logs[p]; state != nil {
			state.pointOnDisk = point
		}
	}
	return nil
}

// lowerRecoveryPoint sees to it that no point above offset is on the disk: what
// is cut off and written anew is not what was synced.
func (d *directory) lowerRecoveryPoint(p partition, offset int64) error {
	d.mu.Lock()
	needed := d.logs[p] != nil && d.logs[p].pointOnDisk > offset
	d.mu.Unlock()
	if !needed {
		return nil
	}
	return d.writeRecoveryPoints()
}

// raiseRecoveryPoint sees to it that the point on the disk is at least offset,
// up to which the log is durable.
func (d *directory) raiseRecoveryPoint(p partition, offset int64) error {
	d.mu.Lock()
	needed := d.logs[p] != nil && d.logs[p].pointOnDisk < offset
	d.mu.Unlock()
	if !needed {
		return nil
	}
	return d.writeRecoveryPoints()
}

// writeStarts writes log-start-offset-checkpoint, with the logs whose start
// lies above the base offset of their first segment. No file is written to say
// that there are none, unless it said otherwise before.
func (d *directory) writeStarts() error {
	d.writing.Lock()
	defer d.writing.Unlock()
	d.mu.Lock()
	starts := offsets{}
	for p, state := range d.logs {
		start := state.start
		if state.open != nil {
			start = state.open.startBeyondSegment()
		}
		if start > 0 {
			starts[p] = start
		}
	}
	needed := len(starts) > 0 || d.startsOnDisk > 0
	d.mu.Unlock()
	if !needed {
		return nil
	}
	if err := replaceFile(d.files, filepath.Join(d.path, startOffsetsFile), starts.encode()); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.startsOnDisk = len(starts)
	return nil
}

// synced has the recovery points written within the interval. Nothing ticks
// while no log is synced.
func (d *directory) synced() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.checkpointLater()
}

// checkpointLater has the checkpoints written within the interval. The caller
// holds d.mu.
func (d *directory) checkpointLater() {
	if d.armed || d.stopped {
		return
	}
	d.armed = true
	d.later(d.engine.config.CheckpointInterval, func() {
		d.mu.Lock()
		d.armed = false
		d.mu.Unlock()
		if err := d.writeCheckpoints(); err != nil {
			d.log.Error("recovery points cannot be written; a crash will have more to check", "error", err)
		}
	})
}

// deleteLater removes files once nobody should be reading them any more.
func (d *directory) deleteLater(delay time.Duration, paths []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.stopped {
		return // the next mount's opening removes them
	}
	d.later(delay, func() {
		for _, path := range paths {
			if err := removeFile(d.files, path); err != nil {
				d.log.Warn("file cannot be deleted; it will be when its log is opened next", "file", path, "error", err)
			}
		}
	})
}

// later calls f after a delay, unless the directory is let go before. The
// caller holds d.mu.
func (d *directory) later(delay time.Duration, f func()) {
	if d.pending == nil {
		d.pending = map[*task]struct{}{}
	}
	t := &task{}
	d.pending[t] = struct{}{}
	t.timer = d.engine.env.Clock.AfterFunc(delay, func() {
		d.mu.Lock()
		_, wanted := d.pending[t]
		delete(d.pending, t)
		if wanted {
			d.running++
		}
		d.mu.Unlock()
		if !wanted {
			return
		}
		f()
		d.mu.Lock()
		d.running--
		d.idle.Broadcast()
		d.mu.Unlock()
	})
}

// stopTimers cancels what is owed and waits for what has begun.
func (d *directory) stopTimers() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.stopped = true
	for t := range d.pending {
		t.timer.Stop()
	}
	clear(d.pending)
	for d.running > 0 {
		d.idle.Wait()
	}
}
