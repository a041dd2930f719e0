package main

import "odradek.dev/sdk/module"

// heaviest keeps weights to what somebody can mean.
const heaviest = 1000

// What a member gets in proportion to its weight.
const (
	byPartitions = "partitions"
	byLag        = "lag"
)

// Config is what a user may set.
type Config struct {
	DefaultWeight int    `setting:"default.weight" doc:"weight of a member that names none"`
	Measure       string `setting:"measure" doc:"what a member gets in proportion to its weight: partitions, or the records in them that wait to be consumed (lag)"`
}

// Defaults weighs all alike, and counts partitions.
func Defaults() Config { return Config{DefaultWeight: 1, Measure: byPartitions} }

// Validate names the setting that is wrong and what it allows.
func (c Config) Validate() error {
	switch {
	case c.DefaultWeight < 1 || c.DefaultWeight > heaviest:
		return module.Invalidf("default.weight is %d; it must be from 1 to %d", c.DefaultWeight, heaviest)
	case c.Measure != byPartitions && c.Measure != byLag:
		return module.Invalidf("measure is %q; it must be %s or %s", c.Measure, byPartitions, byLag)
	}
	return nil
}
