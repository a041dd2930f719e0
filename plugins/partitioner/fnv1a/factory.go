package fnv1a

import (
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/partitioner"
)

// Factory makes fnv1a partitioners.
func Factory() module.Factory {
	return partitioner.Module(module.Descriptor{
		Name: "fnv1a", Version: "1.0.0", Summary: "Sarama's FNV-1a of the key; by chance without",
	}, module.NoDefaults, func(env module.Env, _ Config) (partitioner.Partitioner, error) {
		return New(env.Seed), nil
	})
}
