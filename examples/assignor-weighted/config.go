package main

import "odradek.dev/sdk/module"

// heaviest keeps a product of a weight and a number of partitions far from the
// end of an int.
const heaviest = 1000

// Config is what a user may set.
type Config struct {
	DefaultWeight int `setting:"default.weight" doc:"weight of a member that names none"`
}

// Defaults weighs all alike.
func Defaults() Config { return Config{DefaultWeight: 1} }

// Validate names the setting that is wrong and what it allows.
func (c Config) Validate() error {
	if c.DefaultWeight < 1 || c.DefaultWeight > heaviest {
		return module.Invalidf("default.weight is %d; it must be from 1 to %d", c.DefaultWeight, heaviest)
	}
	return nil
}
