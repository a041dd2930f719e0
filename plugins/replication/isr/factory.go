package isr

import (
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/replication"
)

// Factory describes and builds the strategy.
func Factory() module.Factory {
	return replication.Module(
		module.Descriptor{Name: "isr", Version: "1.0.0", Summary: "Kafka's in-sync replicas"},
		Defaults,
		func(_ module.Env, c Config) (replication.Strategy, error) { return New(c), nil },
	)
}
