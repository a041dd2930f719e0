package main

import (
	"net"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/tools/benchgroups/internal/loop"
)

// Every request is answered, with its own correlation id.
func TestRoundTrips(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	go answerAll(l)
	a := &answerer{addr: l.Addr().String()}
	a.loop, err = loop.New()
	require.NoError(t, err)
	defer a.loop.Close()
	took, err := a.take(t.Context(), 3, 2)
	require.NoError(t, err)
	require.Positive(t, took)
	require.Len(t, a.connections, 3)
	for _, c := range a.connections {
		require.EqualValues(t, 2*changes, c.correlation)
		require.Equal(t, []byte{0, 0, 0, 2 * changes}, c.answer[:4])
	}
}
