package snappy

import (
	"odradek.dev/sdk/codec"
	"odradek.dev/sdk/module"
)

// Factory describes and builds the codec.
func Factory() module.Factory {
	return codec.Module(
		module.Descriptor{Name: "snappy", Version: "1.0.0", Summary: "snappy in Java's framing; reads the raw form too"},
		module.NoDefaults,
		func(module.Env, Config) (codec.Codec, error) { return Codec{}, nil },
	)
}
