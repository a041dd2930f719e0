package config

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAListenerHasLimitsOfItsOwn(t *testing.T) {
	static, errs := Build(map[string]string{
		"max.connections": "10", "listener.name.external.max.connections": "3",
		"listeners": "EXTERNAL://127.0.0.1:1,PLAINTEXT://127.0.0.1:2", "listener.security.protocol.map": "EXTERNAL:PLAINTEXT,PLAINTEXT:PLAINTEXT",
	})
	require.Empty(t, errs)
	limits := func(b *Broker, listener string) [2]int {
		connections, rate := b.ListenerLimits(listener)
		return [2]int{connections, rate}
	}
	unlimited := static.MaxConnectionCreationRate
	require.Equal(t, [2]int{3, unlimited}, limits(&static, "EXTERNAL"))
	require.Equal(t, [2]int{10, unlimited}, limits(&static, "PLAINTEXT"))
	running := static.With(map[string]string{"max.connection.creation.rate": "7"}, map[string]string{"listener.name.external.max.connections": "5"})
	require.Equal(t, [2]int{5, 7}, limits(running, "EXTERNAL"))

	require.True(t, static.SparesListener("PLAINTEXT"))
	require.False(t, static.SparesListener("EXTERNAL"))
	alone := Default()
	require.False(t, alone.SparesListener("PLAINTEXT"), "there is no other")
	require.False(t, WithoutEffect("listener.name.external.max.connections"))
	require.True(t, WithoutEffect("listener.name.external.max.connections.per.ip"))
}

func TestCountsByHost(t *testing.T) {
	b, errs := Build(map[string]string{"max.connections.per.ip.overrides": "10.0.0.7:100, ::1:3 ,some.host:0"})
	require.Empty(t, errs)
	require.Equal(t, map[string]int{"10.0.0.7": 100, "::1": 3, "some.host": 0}, b.MaxConnectionsPerIPOverrides)
	for _, text := range []string{"10.0.0.7", "10.0.0.7:", ":4", "10.0.0.7:-1", "10.0.0.7:x", "a:1,a:2"} {
		_, errs := Build(map[string]string{"max.connections.per.ip.overrides": text})
		require.Len(t, errs, 1, text)
	}
	_, errs = Build(map[string]string{"listener.name.external.max.connections": "many"})
	require.EqualError(t, errs[0], `listener.name.external.max.connections: "many" is not allowed; it must be a whole number from 0 to 2147483647`)
}

func TestNobodyIsLockedOut(t *testing.T) {
	_, errs := Build(map[string]string{"max.connections.per.ip": "0"})
	require.ErrorContains(t, errs[0], "max.connections.per.ip.overrides has to name who may connect")
	require.Error(t, CheckDynamic(map[string]string{"max.connections.per.ip": "0"}, true))
	require.NoError(t, CheckDynamic(map[string]string{"max.connections.per.ip": "0", "max.connections.per.ip.overrides": "::1:1"}, true))
	require.NoError(t, CheckDynamic(map[string]string{"max.connections.per.ip": "1"}, true))
	require.EqualError(t, CheckDynamic(map[string]string{"max.connections": "0"}, true), `max.connections: "0" is not allowed; it must be above 0`)
	require.Error(t, CheckDynamic(map[string]string{"listener.name.external.max.connections": " 0"}, true))
	require.NoError(t, CheckDynamic(map[string]string{"max.connections": "1", "listener.name.external.max.connections": "1"}, true))
}

func TestQueuedBytesAreNoLessThanOneRequest(t *testing.T) {
	for text, allowed := range map[string]bool{"-1": true, "0": true, "999": false, "1000": true} {
		_, errs := Build(map[string]string{"queued.max.request.bytes": text, "socket.request.max.bytes": "1000"})
		require.Equal(t, allowed, len(errs) == 0, text)
		if !allowed {
			require.EqualError(t, errs[0],
				`queued.max.request.bytes: "999" is not allowed; it must be at least socket.request.max.bytes, which is 1000, or -1 for any`)
		}
	}
}

func TestSocketsAreTheSystemsUnlessSet(t *testing.T) {
	b := Default()
	require.Equal(t, []int{-1, -1, -1}, []int{b.SocketSendBufferBytes, b.SocketReceiveBufferBytes, b.SocketListenBacklogSize})
	b, errs := Build(map[string]string{"socket.send.buffer.bytes": "102400", "socket.listen.backlog.size": "50"})
	require.Empty(t, errs)
	require.Equal(t, []int{102400, -1, 50}, []int{b.SocketSendBufferBytes, b.SocketReceiveBufferBytes, b.SocketListenBacklogSize})
}
