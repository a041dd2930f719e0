package main

import (
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/partitioner"
)

// Factory makes region partitioners.
func Factory() module.Factory {
	return partitioner.Module(module.Descriptor{
		Name: "region", Version: "1.0.0", Summary: "keeps a region's keys on the region's partitions",
	}, Defaults, func(env module.Env, config Config) (partitioner.Partitioner, error) {
		return NewRegion(config, env.Seed), nil
	})
}
