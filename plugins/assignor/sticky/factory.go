package sticky

import (
	"odradek.dev/sdk/assignor"
	"odradek.dev/sdk/module"
)

// Factory makes sticky assignors.
func Factory() module.Factory {
	return assignor.Module(module.Descriptor{
		Name: "sticky", Version: "2.0.0", Summary: "balanced, and members keep what they own as far as that allows; own rack first",
	}, module.NoDefaults, func(module.Env, Config) (assignor.Assignor, error) {
		return New(), nil
	})
}
