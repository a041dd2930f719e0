package segment

import (
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/storage"
	"odradek.dev/sdk/vfs"
)

// Factory describes the module.
func Factory() module.Factory {
	return storage.Module(module.Descriptor{
		Name: "segment", Version: "1.0.0",
		Summary: "Kafka's own segment files, byte for byte",
	}, Defaults, func(env module.Env, c Config) (storage.Engine, error) {
		return newEngineWithin(vfs.DescriptorLimit(), env, c), nil
	})
}
