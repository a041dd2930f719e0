package segment

import (
	"path/filepath"

	"odradek.dev/sdk/storage"
)

// saveHighWatermarks writes replication-offset-checkpoint, which has every log
// of the directory of which a high watermark was told.
func (d *directory) saveHighWatermarks(marks []storage.HighWatermark) error {
	if err := d.failed(); err != nil {
		return err
	}
	d.writing.Lock()
	defer d.writing.Unlock()
	d.mu.Lock()
	if d.watermarks == nil {
		d.watermarks = offsets{}
	}
	for _, m := range marks {
		p := partitionOf(m.ID)
		if state := d.logs[p]; state != nil && state.id.TopicID == m.ID.TopicID {
			d.watermarks[p] = m.Offset
		}
	}
	content := d.watermarks.encode()
	d.mu.Unlock()
	return d.diskError(replaceFile(d.files, filepath.Join(d.path, watermarksFile), content))
}
