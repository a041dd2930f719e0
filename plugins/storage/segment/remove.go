package segment

import (
	"path/filepath"

	"odradek.dev/sdk/module"
	"odradek.dev/sdk/storage"
)

// remove deletes a log that nobody has open.
func (d *directory) remove(id storage.ID) error {
	p := partitionOf(id)
	d.mu.Lock()
	state := d.logs[p]
	if state == nil || (state.id.TopicID != id.TopicID && id.TopicID != [16]byte{}) {
		d.mu.Unlock()
		return nil
	}
	if state.open != nil || state.opening {
		d.mu.Unlock()
		return module.Invalidf("log %s in %s is open; close it before it is removed", p, d.path)
	}
	d.forgetLog(p)
	d.mu.Unlock()
	away, err := d.moveAway(p, removedSuffix)
	if err == nil && away != "" {
		err = d.files.RemoveAll(away)
	}
	return d.diskError(err)
}

// setAside makes room for the log of a topic where there is that of another one
// which had the name before. It was not removed, so nobody has said that its
// data may go: the metadata that knew it may be what was lost.
func (d *directory) setAside(p partition, id storage.ID) error {
	earlier, ok := d.beginSettingAside(p, id)
	if !ok {
		return nil
	}
	away, err := d.moveAway(p, straySuffix)
	d.mu.Lock()
	d.logs[p].opening = false
	if err == nil || away != "" {
		d.forgetLog(p)
	}
	d.mu.Unlock()
	if err == nil && away != "" {
		d.log.Warn("folder has the log of an earlier topic of the name, which was not deleted: it is set aside and its data kept; "+
			"remove the folder once nobody needs it", "log", p, "topic_id", encodeID(earlier), "now", encodeID(id.TopicID), "folder", away)
	}
	return err
}

// beginSettingAside keeps others from opening a log that is another topic's than
// id, and returns that topic's id. It does nothing if there is no such log, or if
// it is open.
func (d *directory) beginSettingAside(p partition, id storage.ID) (earlier [16]byte, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	state := d.logs[p]
	if d.stopped || state == nil || state.open != nil || state.opening {
		return earlier, false
	}
	earlier = state.id.TopicID
	state.opening = earlier != id.TopicID && earlier != [16]byte{} && id.TopicID != [16]byte{}
	return earlier, state.opening
}

// forgetLog has the directory know nothing more of a log. The caller holds d.mu.
func (d *directory) forgetLog(p partition) {
	state := d.logs[p]
	delete(d.logs, p)
	delete(d.watermarks, p)
	if _, ok := d.compacted[p]; ok {
		delete(d.compacted, p)
		d.compactedNoted = true
	}
	if state.start > 0 || state.pointOnDisk > 0 {
		d.removals++
		d.removed[p] = d.removals
		d.checkpointLater()
	}
}

// moveAway gives the folder of a log another name, for good, and returns its
// path; none if it is not there.
func (d *directory) moveAway(p partition, suffix string) (away string, err error) {
	away = filepath.Join(d.path, awayName(p, d.engine.uuid(), suffix))
	if err := d.files.Rename(filepath.Join(d.path, p.String()), away); err != nil {
		if notThere(err) {
			return "", nil
		}
		return "", err
	}
	return away, d.files.SyncDir(d.path)
}
