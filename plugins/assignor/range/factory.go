package ranges

import (
	"odradek.dev/sdk/assignor"
	"odradek.dev/sdk/module"
)

// Factory makes range assignors.
func Factory() module.Factory {
	return assignor.Module(module.Descriptor{
		Name: "range", Version: "1.1.0", Summary: "neighbouring partitions of each topic; equal topics alike",
	}, Defaults, func(_ module.Env, config Config) (assignor.Assignor, error) {
		return New(config), nil
	})
}
