package roundrobin

import (
	"odradek.dev/sdk/assignor"
	"odradek.dev/sdk/module"
)

// Factory makes roundrobin assignors.
func Factory() module.Factory {
	return assignor.Module(module.Descriptor{
		Name: "roundrobin", Version: "1.0.0", Summary: "all partitions dealt to the members one after the other",
	}, module.NoDefaults, func(module.Env, Config) (assignor.Assignor, error) {
		return New(), nil
	})
}
