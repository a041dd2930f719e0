package memory_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/plugins/storage/memory"
	"odradek.dev/sdk/clock"
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/storage"
	"odradek.dev/sdk/storage/storagetest"
)

func TestConformance(t *testing.T) {
	storagetest.Run(t, func(t *testing.T) storage.Engine {
		instance, err := memory.Factory().New(module.Env{Clock: clock.Real(), Node: 3}, nil)
		require.NoError(t, err)
		return instance.(storage.Engine)
	})
}
