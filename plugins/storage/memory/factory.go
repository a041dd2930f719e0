package memory

import (
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/storage"
)

// Factory describes the module.
func Factory() module.Factory {
	return storage.Module(module.Descriptor{
		Name: "memory", Version: "1.0.0",
		Summary: "logs in memory, gone with the process",
	}, Defaults, func(env module.Env, _ Config) (storage.Engine, error) { return newEngine(env), nil })
}
