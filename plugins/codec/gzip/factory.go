package gzip

import (
	"odradek.dev/sdk/codec"
	"odradek.dev/sdk/module"
)

// Factory describes and builds the codec.
func Factory() module.Factory {
	return codec.Module(
		module.Descriptor{Name: "gzip", Version: "1.0.0", Summary: "gzip, as Java's GZIPOutputStream writes it"},
		module.NoDefaults,
		func(module.Env, Config) (codec.Codec, error) { return New(), nil },
	)
}
