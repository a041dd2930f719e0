package config

import (
	"fmt"
	"math"
	"net"
	"slices"
	"strings"
)

// endpoint is one NAME://HOST:PORT.
type endpoint struct {
	name, host string
	port       int32
}

// wildcard says that the host is every address of the machine, which is no
// address that a client can be told.
func (e endpoint) wildcard() bool {
	ip := net.ParseIP(e.host)
	return e.host == "" || ip != nil && ip.IsUnspecified()
}

const endpointShape = "a list of NAME://HOST:PORT such as PLAINTEXT://127.0.0.1:9092, each name once"

func endpoints() syntax[[]endpoint] {
	return syntax[[]endpoint]{List, endpointShape, func(text string) ([]endpoint, bool) {
		var list []endpoint
		for _, item := range splitList(text) {
			e, ok := parseEndpoint(item)
			if !ok || slices.ContainsFunc(list, func(other endpoint) bool { return other.name == e.name }) {
				return nil, false
			}
			list = append(list, e)
		}
		return list, len(list) > 0
	}}
}

func parseEndpoint(text string) (endpoint, bool) {
	name, address, ok := strings.Cut(text, "://")
	if !ok || name == "" {
		return endpoint{}, false
	}
	host, port, err := net.SplitHostPort(address)
	n, whole := parseWhole(port, 0, math.MaxUint16)
	return endpoint{strings.ToUpper(name), host, int32(n)}, err == nil && whole
}

// protocolMap takes NAME:PROTOCOL,...
func protocolMap() syntax[map[string]string] {
	return syntax[map[string]string]{String, "a list of NAME:PROTOCOL, each name once", func(text string) (map[string]string, bool) {
		protocols := map[string]string{}
		for _, item := range splitList(text) {
			name, protocol, ok := strings.Cut(item, ":")
			if _, twice := protocols[strings.ToUpper(name)]; !ok || twice || name == "" {
				return nil, false
			}
			protocols[strings.ToUpper(name)] = strings.ToUpper(protocol)
		}
		return protocols, true
	}}
}

// listenerValues are the three configs that listeners are made of.
type listenerValues struct {
	listeners  []endpoint
	advertised []endpoint
	protocols  map[string]string
}

func brokerListenerKeys() []key[Broker] {
	return []key[Broker]{
		define(Definition{
			Name: "listeners", Default: "PLAINTEXT://127.0.0.1:9092", HasDefault: true,
			Doc: "Addresses at which the broker takes clients.",
		}, endpoints(), func(b *Broker) *[]endpoint { return &b.listen.listeners }),
		define(Definition{
			Name: "advertised.listeners", Doc: "Addresses that clients are told; those of listeners if not set.",
		}, endpoints(), func(b *Broker) *[]endpoint { return &b.listen.advertised }),
		define(Definition{
			Name: "listener.security.protocol.map", HasDefault: true,
			Default: "PLAINTEXT:PLAINTEXT,SSL:SSL,SASL_PLAINTEXT:SASL_PLAINTEXT,SASL_SSL:SASL_SSL",
			Doc:     "The security protocol of each listener name.",
		}, protocolMap(), func(b *Broker) *map[string]string { return &b.listen.protocols }),
	}
}

// build joins the three. Every error names the config to change.
func (v listenerValues) build() ([]Listener, []error) {
	var list []Listener
	var errs []error
	for i, e := range v.listeners {
		for _, other := range v.listeners[:i] {
			if other.host == e.host && other.port == e.port && e.port != 0 {
				errs = append(errs, &ValueError{"listeners", e.String(), "at another address than " + other.String()})
			}
		}
		listener, err := v.join(e)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		list = append(list, listener)
	}
	for _, a := range v.advertised {
		if !slices.ContainsFunc(v.listeners, func(e endpoint) bool { return e.name == a.name }) {
			errs = append(errs, &ValueError{"advertised.listeners", a.String(), "named as one of listeners"})
		}
	}
	return list, errs
}

func (v listenerValues) join(e endpoint) (Listener, error) {
	told := e
	if i := slices.IndexFunc(v.advertised, func(a endpoint) bool { return a.name == e.name }); i >= 0 {
		told = v.advertised[i]
	}
	protocol, known := v.protocols[e.name]
	switch {
	case !known:
		return Listener{}, &ValueError{"listeners", e.String(), fmt.Sprintf(
			"named in listener.security.protocol.map; add %s:PLAINTEXT to it", e.name)}
	case protocol != "PLAINTEXT":
		return Listener{}, &ValueError{"listeners", e.String(), fmt.Sprintf(
			"a PLAINTEXT listener: %s is not there yet", protocol)}
	case told.wildcard() && told == e:
		return Listener{}, &ValueError{"advertised.listeners", "", fmt.Sprintf(
			"set, since %s listens at every address and clients have to be told one; write advertised.listeners: %s://HOST:%d", e, e.name, e.port)}
	case told.wildcard():
		return Listener{}, &ValueError{"advertised.listeners", told.String(), fmt.Sprintf(
			"an address that clients can connect to: a name or an address of this machine, as in %s://HOST:%d", told.name, told.port)}
	case told.port == 0 && e.port != 0:
		return Listener{}, &ValueError{"advertised.listeners", told.String(), "an address with a port"}
	}
	return Listener{
		Name: e.name, Protocol: protocol, Host: e.host, Port: e.port, AdvertisedHost: told.host, AdvertisedPort: told.port,
	}, nil
}

func (e endpoint) String() string {
	return e.name + "://" + net.JoinHostPort(e.host, fmt.Sprint(e.port))
}
