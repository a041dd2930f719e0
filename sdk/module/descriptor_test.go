package module_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/module"
)

func TestDescriptorsThatAreRefused(t *testing.T) {
	good := module.Descriptor{Kind: module.Codec, Name: "zstd", Version: "1.0.0-rc.1+linux"}
	require.NoError(t, good.Validate())
	cases := map[string]struct {
		change  func(*module.Descriptor)
		message string
	}{
		"kind":         {func(d *module.Descriptor) { d.Kind = "connector" }, `module kind "connector" is unknown`},
		"name":         {func(d *module.Descriptor) { d.Name = "Zstd" }, `codec name "Zstd" must be`},
		"no version":   {func(d *module.Descriptor) { d.Version = "" }, "module codec/zstd has no version"},
		"escape":       {func(d *module.Descriptor) { d.Version = "\x1b[2J" }, `module codec/zstd has the version "\x1b[2J"`},
		"long version": {func(d *module.Descriptor) { d.Version = strings.Repeat("1", 65) }, "at most 64"},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			d := good
			test.change(&d)
			err := d.Validate()
			require.ErrorContains(t, err, test.message)
			require.Equal(t, module.Invalid, module.ClassOf(err))
		})
	}
}
