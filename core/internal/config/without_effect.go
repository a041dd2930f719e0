package config

import (
	"slices"
	"strings"
)

// authorizerNames are read by Kafka's authorizer rather than by its broker, and
// so are in no list of broker configs.
var authorizerNames = map[string]bool{"super.users": true, "allow.everyone.if.no.acl.found": true}

// WithoutEffect reports whether Kafka has a broker config of that name which
// nothing here acts on yet: it may stand in a configuration, and the broker
// says at its start that it changes nothing.
func WithoutEffect(name string) bool {
	if k, known := brokerKeys[name]; known {
		return k.Inert
	}
	if k, known := brokerKey(name); known {
		return k.Inert
	}
	return authorizerNames[name] || strings.HasPrefix(name, listenerPrefix)
}

// WordsWithoutEffect are the words in the list of a broker config that acts of
// which nothing here acts on yet.
func WordsWithoutEffect(name, list string) []string {
	if name != rebalanceProtocols {
		return nil
	}
	return slices.DeleteFunc(splitList(list), func(word string) bool { return word == ClassicProtocol || word == ConsumerProtocol })
}
