package none

import (
	"odradek.dev/sdk/codec"
	"odradek.dev/sdk/module"
)

// Factory describes and builds the codec.
func Factory() module.Factory {
	return codec.Module(
		module.Descriptor{Name: "none", Version: "1.0.0", Summary: "batches as they are"},
		module.NoDefaults,
		func(module.Env, Config) (codec.Codec, error) { return Codec{}, nil },
	)
}
