package main

import (
	"odradek.dev/sdk/assignor"
	"odradek.dev/sdk/module"
)

// Factory makes weighted assignors.
func Factory() module.Factory {
	return assignor.Module(module.Descriptor{
		Name: "weighted", Version: "1.1.0", Summary: "partitions, or their lag, in proportion to the members' weights",
	}, Defaults, func(_ module.Env, config Config) (assignor.Assignor, error) {
		return Weighted{config}, nil
	})
}
