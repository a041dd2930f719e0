package crc32

import "odradek.dev/sdk/module"

// The values of Config.Partitioner.
const (
	Consistent       = "consistent"
	ConsistentRandom = "consistent_random"
)

// Config is the settings of crc32.
type Config struct {
	Partitioner string `setting:"partitioner" doc:"consistent_random: the empty key and none by chance; consistent: both to partition 0"`
}

// Defaults is librdkafka's own default.
func Defaults() Config { return Config{Partitioner: ConsistentRandom} }

// Validate implements module.Settings.
func (c Config) Validate() error {
	if c.Partitioner != Consistent && c.Partitioner != ConsistentRandom {
		return module.Invalidf("partitioner is %q; it must be %s or %s", c.Partitioner, ConsistentRandom, Consistent)
	}
	return nil
}
