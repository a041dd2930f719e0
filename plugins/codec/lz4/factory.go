package lz4

import (
	"odradek.dev/sdk/codec"
	"odradek.dev/sdk/module"
)

// Factory describes and builds the codec.
func Factory() module.Factory {
	return codec.Module(
		module.Descriptor{Name: "lz4", Version: "1.0.0", Summary: "LZ4 frames as the Java client writes them"},
		module.NoDefaults,
		func(module.Env, Config) (codec.Codec, error) { return New(), nil },
	)
}
