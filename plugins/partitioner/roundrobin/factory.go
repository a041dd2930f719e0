package roundrobin

import (
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/partitioner"
)

// Factory makes roundrobin partitioners.
func Factory() module.Factory {
	return partitioner.Module(module.Descriptor{
		Name: "roundrobin", Version: "1.0.0", Summary: "one usable partition after the other, whatever the key",
	}, module.NoDefaults, func(module.Env, Config) (partitioner.Partitioner, error) {
		return New(), nil
	})
}
