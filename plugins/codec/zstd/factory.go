package zstd

import (
	"odradek.dev/sdk/codec"
	"odradek.dev/sdk/module"
)

// Factory describes and builds the codec.
func Factory() module.Factory {
	return codec.Module(
		module.Descriptor{Name: "zstd", Version: "1.0.0", Summary: "Zstandard frames"},
		module.NoDefaults,
		func(module.Env, Config) (codec.Codec, error) { return New() },
	)
}
