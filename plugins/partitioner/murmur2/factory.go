package murmur2

import (
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/partitioner"
)

// Factory makes murmur2 partitioners.
func Factory() module.Factory {
	return partitioner.Module(module.Descriptor{
		Name: "murmur2", Version: "1.0.0", Summary: "Java's murmur2 of the key; by chance without (librdkafka's murmur2_random)",
	}, module.NoDefaults, func(env module.Env, _ Config) (partitioner.Partitioner, error) {
		return New(env.Seed), nil
	})
}
