package none

import (
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/codec"
	"odradek.dev/sdk/codec/codectest"
	"odradek.dev/sdk/module"
)

func TestConformance(t *testing.T) {
	codectest.Run(t, func(t *testing.T) codec.Codec {
		instance, err := Factory().New(module.Env{}, nil)
		require.NoError(t, err)
		return instance.(codec.Codec)
	})
}

func FuzzDecompress(f *testing.F) { codectest.FuzzDecompress(f, Codec{}) }

func FuzzRoundTrip(f *testing.F) { codectest.FuzzRoundTrip(f, Codec{}) }
