package segment

import (
	"time"

	"odradek.dev/sdk/module"
	"odradek.dev/sdk/storage"
)

// Config is what a user may set.
type Config struct {
	// MaxOpenFiles bounds the descriptors that the engine keeps open, over all
	// logs; those that the broker opens to send from are its own.
	MaxOpenFiles int `setting:"max.open.files" doc:"most files that the engine keeps open at once, over all partitions"`
	// CheckpointInterval bounds how much has to be read again after a crash.
	CheckpointInterval time.Duration `setting:"flush.offset.checkpoint.interval" doc:"longest time between a sync and the note of it in recovery-point-offset-checkpoint"`
}

// Defaults is what a broker runs with that sets nothing.
func Defaults() Config {
	return Config{MaxOpenFiles: 4096, CheckpointInterval: time.Minute}
}

// Validate reports a setting that is out of range.
func (c Config) Validate() error {
	switch {
	case c.MaxOpenFiles < minOpenFiles:
		return module.Invalidf("max.open.files is %d, but must be at least %d", c.MaxOpenFiles, minOpenFiles)
	case c.CheckpointInterval < time.Millisecond:
		return module.Invalidf("flush.offset.checkpoint.interval is %v, but must be at least 1ms", c.CheckpointInterval)
	}
	return nil
}

// minOpenFiles lets a handful of logs be written side by side.
const minOpenFiles = 16

// settled puts Kafka's default where a size was left at zero.
func settled(c storage.Config) storage.Config {
	if c.SegmentBytes <= 0 {
		c.SegmentBytes = 1 << 30
	}
	// A position in an index is an int32.
	c.SegmentBytes = min(c.SegmentBytes, 1<<31-1)
	if c.SegmentIndexBytes <= 0 {
		c.SegmentIndexBytes = 10 << 20
	}
	return c
}
