package config

import "slices"

const rebalanceProtocols = "group.coordinator.rebalance.protocols"

// The protocols of groups that there are here, by their words in
// group.coordinator.rebalance.protocols. Kafka has share and streams too.
const (
	ClassicProtocol  = "classic"
	ConsumerProtocol = "consumer"
)

// protocolsOfGroups takes, as Kafka does, no list without the classic protocol.
func protocolsOfGroups() syntax[[]string] {
	s := words(ConsumerProtocol, ClassicProtocol, "share", "streams")
	inner := s.parse
	s.allowed += ", and classic among them"
	s.parse = func(text string) ([]string, bool) {
		list, ok := inner(text)
		return list, ok && slices.Contains(list, ClassicProtocol)
	}
	return s
}

// Coordinates reports whether groups of a protocol, one of those above, are
// coordinated.
func (b *Broker) Coordinates(protocol string) bool {
	return slices.Contains(b.RebalanceProtocols, protocol)
}
