package raft

import "odradek.dev/sdk/module"

// Config is the module's settings.
type Config struct {
	SegmentBytes int `setting:"segment.bytes" doc:"size at which a file of the log is closed and the next begun; the newest is held in memory too"`
}

// Defaults is what a broker runs with that sets nothing.
func Defaults() Config { return Config{SegmentBytes: 1 << 20} }

const (
	minSegmentBytes = 64 << 10
	maxSegmentBytes = 64 << 20
)

// Validate reports what is wrong with the settings.
func (c Config) Validate() error {
	if c.SegmentBytes < minSegmentBytes || c.SegmentBytes > maxSegmentBytes {
		return module.Invalidf("segment.bytes is %d, it must be from %d to %d", c.SegmentBytes, minSegmentBytes, maxSegmentBytes)
	}
	return nil
}
