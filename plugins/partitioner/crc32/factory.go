package crc32

import (
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/partitioner"
)

// Factory makes crc32 partitioners.
func Factory() module.Factory {
	return partitioner.Module(module.Descriptor{
		Name: "crc32", Version: "1.0.0", Summary: "librdkafka's CRC-32 of the key; by chance without (consistent_random)",
	}, Defaults, func(env module.Env, config Config) (partitioner.Partitioner, error) {
		return New(config, env.Seed), nil
	})
}
