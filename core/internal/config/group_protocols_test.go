package config

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestProtocolsOfGroups(t *testing.T) {
	for list, consumer := range map[string]bool{
		"classic": false, "classic,consumer": true, " consumer , classic ": true, "classic,share,streams": false,
	} {
		b, errs := Build(map[string]string{"group.coordinator.rebalance.protocols": list})
		require.Empty(t, errs, list)
		require.True(t, b.Coordinates(ClassicProtocol), list)
		require.Equal(t, consumer, b.Coordinates(ConsumerProtocol), list)
	}
	b := Default()
	require.True(t, b.Coordinates(ClassicProtocol))
	require.True(t, b.Coordinates(ConsumerProtocol))
	for _, list := range []string{"", "consumer", "consumer,streams", "Classic", "classic,foo", "classic,,consumer", "classic,classic"} {
		_, errs := Build(map[string]string{"group.coordinator.rebalance.protocols": list})
		require.Len(t, errs, 1, list)
		require.EqualError(t, errs[0], `group.coordinator.rebalance.protocols: "`+list+`" is not allowed; `+
			`it must be a list of consumer, classic, share, streams, each at most once, and classic among them`)
	}
}

func TestProtocolsOfGroupsChangeByARestartAlone(t *testing.T) {
	d, ok := BrokerDefinition("group.coordinator.rebalance.protocols")
	require.True(t, ok)
	require.Equal(t, Nowhere, d.Dynamic)
	require.True(t, d.ReadOnly)
}
