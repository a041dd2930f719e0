package controller

import (
	"sync"

	"odradek.dev/core/internal/metadata"
)

// snapshotter says when a snapshot is due: after so many records, or bytes,
// but not before the log has grown by as much as the last snapshot took.
type snapshotter struct {
	mu sync.Mutex
	// In mu: what was applied since the last snapshot, how large that was, and
	// whether one is being written.
	records, bytes, size int
	writing              bool
}

// restored notes that the log began with a snapshot.
func (s *snapshotter) restored(size int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.records, s.bytes, s.size = 0, 0, size
}

// grew notes what was applied, and reports whether the caller is to write one.
func (s *snapshotter) grew(records, bytes int, o *Options) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.records += records
	s.bytes += bytes
	due := s.records >= o.SnapshotRecords || s.bytes >= o.SnapshotBytes
	if s.writing || !due || s.bytes < s.size {
		return false
	}
	s.records, s.bytes, s.writing = 0, 0, true
	return true
}

// wrote notes that it was written, or that it could not be if size is 0.
func (s *snapshotter) wrote(size int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.writing = false
	if size > 0 {
		s.size = size
	}
}

// snapshotIfDue writes a snapshot beside the following, which goes on.
func (c *Controller) snapshotIfDue(i *metadata.Image, records, bytes int) {
	if !c.snapshot.grew(records, bytes, &c.options) {
		return
	}
	c.running.Go(func() {
		size, err := c.save(i)
		if err != nil && c.life.Err() == nil {
			c.options.Log.Error("a snapshot of the metadata could not be saved; the log grows until one can", "record", i.Index(), "error", err)
		}
		c.snapshot.wrote(size)
	})
}

func (c *Controller) save(i *metadata.Image) (size int, err error) {
	state, err := metadata.EncodeSnapshot(i)
	if err != nil {
		return 0, err
	}
	if err := c.options.Election.SaveSnapshot(c.life, i.Index(), state); err != nil {
		return 0, err
	}
	return len(state), nil
}
