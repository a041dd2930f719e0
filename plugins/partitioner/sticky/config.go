package sticky

import "odradek.dev/sdk/module"

// Config is the settings of sticky.
type Config struct {
	// BatchSize is in bytes; 0 draws a partition for each record.
	BatchSize int `setting:"batch.size" doc:"bytes of records without a key that go to one partition before another is drawn"`
}

// Defaults is Kafka's own batch.size.
func Defaults() Config { return Config{BatchSize: 16384} }

// Validate implements module.Settings.
func (c Config) Validate() error {
	if c.BatchSize < 0 {
		return module.Invalidf("batch.size is %d; it must be 0 or more bytes", c.BatchSize)
	}
	return nil
}
