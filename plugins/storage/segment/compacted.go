package segment

import (
	"maps"
	"path/filepath"

	"odradek.dev/sdk/storage"
)

// noteCompacted has cleaner-offset-checkpoint say how far a log is compacted,
// within the interval of checkpoints: what a crash loses of it costs a pass.
func (d *directory) noteCompacted(p partition, offset int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.compacted == nil {
		d.compacted = offsets{}
	}
	d.compacted[p] = offset
	d.compactedNoted = true
	d.checkpointLater()
}

// compactedUpTo is how far cleaner-offset-checkpoint says that a log is
// compacted.
func (d *directory) compactedUpTo(id storage.ID) int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.compacted[partitionOf(id)]
}

// writeCompacted writes cleaner-offset-checkpoint, if there is anything new.
func (d *directory) writeCompacted() error {
	d.writing.Lock()
	defer d.writing.Unlock()
	d.mu.Lock()
	needed, content := d.compactedNoted, maps.Clone(d.compacted)
	d.compactedNoted = false
	d.mu.Unlock()
	if !needed {
		return nil
	}
	err := replaceFile(d.files, filepath.Join(d.path, cleanerOffsetsFile), content.encode())
	if err != nil {
		d.mu.Lock()
		d.compactedNoted = true
		d.mu.Unlock()
	}
	return err
}
