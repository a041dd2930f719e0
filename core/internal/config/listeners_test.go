package config

import (
	"net"
	"net/netip"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestListeners(t *testing.T) {
	b, errs := Build(map[string]string{
		"listeners":                      "PLAINTEXT://0.0.0.0:9092, inside://[::1]:0",
		"advertised.listeners":           "PLAINTEXT://broker.example:19092",
		"listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,INSIDE:plaintext",
	})
	require.Empty(t, errs)
	require.Equal(t, []Listener{
		{Name: "PLAINTEXT", Protocol: "PLAINTEXT", Host: "0.0.0.0", Port: 9092, AdvertisedHost: "broker.example", AdvertisedPort: 19092},
		{Name: "INSIDE", Protocol: "PLAINTEXT", Host: "::1", Port: 0, AdvertisedHost: "::1", AdvertisedPort: 0},
	}, b.Listeners)
}

func TestListenersRefused(t *testing.T) {
	for _, c := range []struct {
		name    string
		set     map[string]string
		message string
	}{
		{"nothing to tell clients", map[string]string{"listeners": "PLAINTEXT://:9092"},
			`advertised.listeners: "" is not allowed; it must be set, since PLAINTEXT://:9092 listens at every address and clients have to be told one; write advertised.listeners: PLAINTEXT://HOST:9092`},
		{"told a wildcard", map[string]string{"listeners": "PLAINTEXT://:9092", "advertised.listeners": "PLAINTEXT://[::]:9093"},
			`advertised.listeners: "PLAINTEXT://[::]:9093" is not allowed; it must be an address that clients can connect to: a name or an address of this machine, as in PLAINTEXT://HOST:9093`},
		{"told every address of IPv4", map[string]string{"listeners": "PLAINTEXT://127.0.0.1:9092", "advertised.listeners": "PLAINTEXT://0.0.0.0:9092"},
			`advertised.listeners: "PLAINTEXT://0.0.0.0:9092" is not allowed; it must be an address that clients can connect to: a name or an address of this machine, as in PLAINTEXT://HOST:9092`},
		{"no port", map[string]string{"listeners": "PLAINTEXT://127.0.0.1"},
			`listeners: "PLAINTEXT://127.0.0.1" is not allowed; it must be ` + endpointShape},
		{"port too large", map[string]string{"listeners": "PLAINTEXT://127.0.0.1:65536"},
			`listeners: "PLAINTEXT://127.0.0.1:65536" is not allowed; it must be ` + endpointShape},
		{"none", map[string]string{"listeners": ""}, `listeners: "" is not allowed; it must be ` + endpointShape},
		{"TLS", map[string]string{"listeners": "SSL://127.0.0.1:9093"},
			`listeners: "SSL://127.0.0.1:9093" is not allowed; it must be a PLAINTEXT listener: SSL is not there yet`},
		{"no protocol", map[string]string{"listeners": "INSIDE://127.0.0.1:9093"},
			`listeners: "INSIDE://127.0.0.1:9093" is not allowed; it must be named in listener.security.protocol.map; add INSIDE:PLAINTEXT to it`},
		{"advertised of none", map[string]string{"advertised.listeners": "OUTSIDE://a:1"},
			`advertised.listeners: "OUTSIDE://a:1" is not allowed; it must be named as one of listeners`},
		{"same address", map[string]string{
			"listeners": "PLAINTEXT://a:1,B://a:1", "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,B:PLAINTEXT"},
			`listeners: "B://a:1" is not allowed; it must be at another address than PLAINTEXT://a:1`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, errs := Build(c.set)
			require.Len(t, errs, 1)
			require.EqualError(t, errs[0], c.message)
		})
	}
}

func TestNothingButLoopbackIsBoundUnlessAsked(t *testing.T) {
	b := Default()
	addresses := []string{b.AdminListener}
	for _, l := range b.Listeners {
		addresses = append(addresses, net.JoinHostPort(l.Host, strconv.Itoa(int(l.Port))))
	}
	require.Len(t, addresses, 2)
	for _, address := range addresses {
		at, err := netip.ParseAddrPort(address)
		require.NoError(t, err)
		require.True(t, at.Addr().IsLoopback(), address)
	}
}
