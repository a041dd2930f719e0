package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

var (
	topicKeys  = tableOf(topicLogKeys(), topicRetentionKeys(), topicMessageKeys(), topicReplicationKeys(), topicRemoteKeys())
	brokerKeys = tableOf(synonymKeys(topicKeys), brokerIdentityKeys(), brokerListenerKeys(), brokerTopicKeys(),
		brokerNetworkKeys(), brokerOwnKeys(), brokerRefusedKeys())
)

// Default is the configuration of a broker for which nothing is set.
func Default() Broker {
	b, errs := Build(nil)
	if len(errs) > 0 {
		panic(fmt.Sprintf("defaults are not allowed: %v", errs))
	}
	return b
}

// Build makes a broker's configuration from the text of the values that are
// set, by name, over the defaults. Every error is a [ValueError] or an
// [UnknownNameError], in order of name; with errors the configuration has the
// defaults in the place of the wrong values. Names of Kafka's that nothing acts
// on yet are no errors; see [WithoutEffect].
func Build(set map[string]string) (Broker, []error) {
	b := Broker{Set: map[string]string{}}
	for _, k := range brokerKeys {
		if k.HasDefault {
			// A wrong default shows in the errors of Default, which a test calls.
			_ = k.set(&b, k.Default)
		}
	}
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(set)) {
		if err := b.put(name, set[name]); err != nil {
			errs = append(errs, err)
		}
	}
	if b.Set["log.dirs"] == "" && b.logDir != "" {
		b.LogDirs = []string{b.logDir}
	}
	if b.MetadataLogDir == "" && len(b.LogDirs) > 0 {
		b.MetadataLogDir = b.LogDirs[0]
	}
	listeners, listenerErrs := b.listen.build()
	b.Listeners = listeners
	topic, err := ResolveTopic(&b, nil)
	b.Topic = topic
	return b, appendError(append(errs, listenerErrs...), err)
}

func (b *Broker) put(name, text string) error {
	k, ok := brokerKeys[name]
	if !ok {
		if WithoutEffect(name) {
			return nil
		}
		return &UnknownNameError{Name: name, What: "broker config", Nearest: nearestBrokerName(name)}
	}
	if err := k.set(b, text); err != nil {
		return err
	}
	b.Set[name] = strings.TrimSpace(text)
	return nil
}

// nearestBrokerName looks among the topic configs first: whoever writes
// segment.bytes for a broker means log.segment.bytes.
func nearestBrokerName(name string) string {
	if topic, ok := topicKeys[name]; ok && len(topic.Synonyms) > 0 {
		return topic.Synonyms[0]
	}
	return Nearest(name, maps.Keys(brokerKeys))
}

func appendError(errs []error, err error) []error {
	if err == nil {
		return errs
	}
	return append(errs, err)
}

// BrokerNames lists the broker configs that act, ascending.
func BrokerNames() []string { return brokerKeys.names() }

// BrokerDefinition is the definition of one of [BrokerNames].
func BrokerDefinition(name string) (Definition, bool) {
	k, ok := brokerKeys[name]
	return k.Definition, ok
}
