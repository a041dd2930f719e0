package config

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Broker configs about how many connections there may be.
func connectionKeys() []key[Broker] {
	return []key[Broker]{
		define(Definition{
			Name: "max.connections", Default: "2147483647", HasDefault: true,
			Doc: "Connections at a time. Another one waits until one is closed; at the listener of the brokers it is taken, and the longest idle one of another listener closed.",
		}, count(0, math.MaxInt32), func(b *Broker) *int { return &b.MaxConnections }),
		define(Definition{
			Name: "max.connections.per.ip", Default: "2147483647", HasDefault: true,
			Doc: "Connections at a time from one address. Another one is closed at once.",
		}, count(0, math.MaxInt32), func(b *Broker) *int { return &b.MaxConnectionsPerIP }),
		define(Definition{
			Name: "max.connections.per.ip.overrides", Default: "", HasDefault: true,
			Doc: "Other limits for some addresses or host names, as a list of HOST:COUNT.",
		}, countByHost(), func(b *Broker) *map[string]int { return &b.MaxConnectionsPerIPOverrides }),
		define(Definition{
			Name: "max.connection.creation.rate", Default: "2147483647", HasDefault: true,
			Doc: "New connections in a second. What is above it waits to be taken.",
		}, count(0, math.MaxInt32), func(b *Broker) *int { return &b.MaxConnectionCreationRate }),
	}
}

// countByHost takes HOST:COUNT,... A host may be an IPv6 address, which has
// colons itself.
func countByHost() syntax[map[string]int] {
	const allowed = "a list of HOST:COUNT such as 10.0.0.7:100, each host once"
	return syntax[map[string]int]{String, allowed, func(text string) (map[string]int, bool) {
		counts := map[string]int{}
		for _, item := range splitList(text) {
			colon := strings.LastIndexByte(item, ':')
			if colon <= 0 {
				return nil, false
			}
			host := strings.TrimSpace(item[:colon])
			n, whole := parseWhole(strings.TrimSpace(item[colon+1:]), 0, math.MaxInt32)
			if _, twice := counts[host]; twice || !whole {
				return nil, false
			}
			counts[host] = int(n)
		}
		return counts, true
	}}
}

// listenerLimits are the configs that a listener may have of its own, as
// listener.name.NAME.max.connections, with the name in lower case.
var listenerLimits = map[string]bool{"max.connections": true, "max.connection.creation.rate": true}

// ListenerLimits are the connections at a time and the new connections in a
// second that the listener may have: its own limits, or those of the broker.
func (b *Broker) ListenerLimits(listener string) (connections, rate int) {
	own := func(base string, ofBroker int) int {
		text, _, set := b.text(listenerPrefix + strings.ToLower(listener) + "." + base)
		n, whole := parseWhole(text, 0, math.MaxInt32)
		if !set || !whole {
			return ofBroker
		}
		return int(n)
	}
	return own("max.connections", b.MaxConnections), own("max.connection.creation.rate", b.MaxConnectionCreationRate)
}

// SparesListener reports whether the limits of the whole broker leave the
// listener out: that of the brokers among themselves, if there are others.
func (b *Broker) SparesListener(listener string) bool {
	name := cmp.Or(b.interBroker, "PLAINTEXT")
	return len(b.Listeners) > 1 && strings.EqualFold(listener, name)
}

// checkConnections refuses a broker that nobody could connect to.
func checkConnections(perIP int, overrides map[string]int) error {
	if perIP == 0 && len(overrides) == 0 {
		return &ValueError{"max.connections.per.ip", "0", "above 0, or max.connections.per.ip.overrides has to name who may connect"}
	}
	return nil
}

// checkQueuedBytes refuses, as Kafka does, a bound of all requests below that of
// one.
func (b *Broker) checkQueuedBytes() error {
	if b.QueuedMaxRequestBytes <= 0 || b.QueuedMaxRequestBytes >= int64(b.SocketRequestMaxBytes) {
		return nil
	}
	return &ValueError{"queued.max.request.bytes", strconv.FormatInt(b.QueuedMaxRequestBytes, 10), fmt.Sprintf(
		"at least socket.request.max.bytes, which is %d, or -1 for any", b.SocketRequestMaxBytes)}
}

// checkDynamicConnections does so among values that are set while brokers run:
// the next request to set them better would find no way in either.
func checkDynamicConnections(values map[string]string) error {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if name != "max.connections" && !strings.HasSuffix(name, ".max.connections") {
			continue
		}
		if n, whole := parseWhole(strings.TrimSpace(values[name]), 0, math.MaxInt32); whole && n == 0 {
			return &ValueError{name, values[name], "above 0"}
		}
	}
	perIP, set := values["max.connections.per.ip"]
	if n, whole := parseWhole(strings.TrimSpace(perIP), 0, math.MaxInt32); !set || !whole || n > 0 {
		return nil
	}
	overrides, _ := countByHost().parse(values["max.connections.per.ip.overrides"])
	return checkConnections(0, overrides)
}
