package uniform

import (
	"odradek.dev/sdk/assignor"
	"odradek.dev/sdk/module"
)

// Factory makes uniform assignors.
func Factory() module.Factory {
	return assignor.Module(module.Descriptor{
		Name: "uniform", Version: "1.0.0", Summary: "balanced over all topics, and members keep what they have as far as that allows",
	}, module.NoDefaults, func(module.Env, Config) (assignor.Assignor, error) {
		return New(), nil
	})
}
