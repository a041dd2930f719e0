package isr

import (
	"time"

	"odradek.dev/sdk/module"
)

// Config is what a user may set.
type Config struct {
	LagTimeMaxMs   int64 `setting:"replica.lag.time.max.ms" doc:"a follower that has not caught up for this long leaves the in-sync replicas"`
	FetchWaitMaxMs int64 `setting:"replica.fetch.wait.max.ms" doc:"a follower without an answer for this long fetches again"`
	FlushBeforeAck bool  `setting:"flush.before.ack" doc:"a record counts as written by a replica only when it survives a power cut"`
}

// Defaults are Kafka's own.
func Defaults() Config {
	return Config{LagTimeMaxMs: 30_000, FetchWaitMaxMs: 500}
}

// Validate reports the first setting that is out of range.
func (c Config) Validate() error {
	switch {
	case c.LagTimeMaxMs < 1:
		return module.Invalidf("replica.lag.time.max.ms is %d: it must be at least 1", c.LagTimeMaxMs)
	case c.FetchWaitMaxMs < 1:
		return module.Invalidf("replica.fetch.wait.max.ms is %d: it must be at least 1", c.FetchWaitMaxMs)
	case c.FetchWaitMaxMs > c.LagTimeMaxMs:
		return module.Invalidf("replica.fetch.wait.max.ms is %d: it must not be over replica.lag.time.max.ms, %d", c.FetchWaitMaxMs, c.LagTimeMaxMs)
	}
	return nil
}

func (c Config) lagTimeMax() time.Duration { return time.Duration(c.LagTimeMaxMs) * time.Millisecond }

func (c Config) fetchWaitMax() time.Duration {
	return time.Duration(c.FetchWaitMaxMs) * time.Millisecond
}
