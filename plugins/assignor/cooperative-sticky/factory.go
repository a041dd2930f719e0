package cooperativesticky

import (
	"odradek.dev/sdk/assignor"
	"odradek.dev/sdk/module"
)

// Factory makes cooperative-sticky assignors.
func Factory() module.Factory {
	return assignor.Module(module.Descriptor{
		Name: "cooperative-sticky", Version: "1.0.0", Summary: "as sticky, for groups that go on consuming while they balance",
	}, module.NoDefaults, func(module.Env, Config) (assignor.Assignor, error) {
		return New(), nil
	})
}
