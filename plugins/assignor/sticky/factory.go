package sticky

import (
	"odradek.dev/sdk/assignor"
	"odradek.dev/sdk/module"
)

// Factory makes sticky assignors.
func Factory() module.Factory {
	return assignor.Module(module.Descriptor{
		Name: "sticky", Version: "1.0.0", Summary: "balanced, and as few partitions change hands as that allows",
	}, module.NoDefaults, func(module.Env, Config) (assignor.Assignor, error) {
		return New(), nil
	})
}
