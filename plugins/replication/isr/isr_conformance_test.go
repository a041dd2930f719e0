package isr

import (
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/module"
	"odradek.dev/sdk/replication"
	"odradek.dev/sdk/replication/replicationtest"
)

func open(settings map[string]any) func(t *testing.T) replication.Strategy {
	return func(t *testing.T) replication.Strategy {
		instance, err := Factory().New(module.Env{}, settings)
		require.NoError(t, err)
		return instance.(replication.Strategy)
	}
}

func TestConformance(t *testing.T) {
	replicationtest.Run(t, open(nil))
}

func TestConformanceFlushingBeforeAck(t *testing.T) {
	replicationtest.Run(t, open(map[string]any{"flush.before.ack": true}))
}
