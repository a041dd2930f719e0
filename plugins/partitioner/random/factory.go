package random

import (
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/partitioner"
)

// Factory makes random partitioners.
func Factory() module.Factory {
	return partitioner.Module(module.Descriptor{
		Name: "random", Version: "1.0.0", Summary: "a usable partition by chance, whatever the key",
	}, module.NoDefaults, func(env module.Env, _ Config) (partitioner.Partitioner, error) {
		return New(env.Seed), nil
	})
}
