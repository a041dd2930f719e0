package ranges

// Config is what a user may set.
type Config struct {
	RackAware bool `setting:"rack.aware" doc:"whether a member gets partitions of its own rack first, as in Kafka's Java client; Kafka's broker does not look at racks"`
}

// Defaults is Kafka's broker.
func Defaults() Config { return Config{} }

// Validate always succeeds: either is allowed.
func (Config) Validate() error { return nil }
