package sticky

import (
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/partitioner"
)

// Factory makes sticky partitioners.
func Factory() module.Factory {
	return partitioner.Module(module.Descriptor{
		Name: "sticky", Version: "1.0.0", Summary: "Java's default: murmur2 of the key; one partition a batch without",
	}, Defaults, func(env module.Env, config Config) (partitioner.Partitioner, error) {
		return New(config, env.Seed), nil
	})
}
