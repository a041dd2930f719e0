package config

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// removedTopicNames were taken out of Kafka 4.0 and are still sent by tools
// and templates. They are taken and change nothing.
var removedTopicNames = map[string]bool{
	"message.format.version":              true,
	"message.downconversion.enable":       true,
	"message.timestamp.difference.max.ms": true,
}

// ValidateTopic reports the first, in order of name, of a topic's own configs
// that is unknown or has a value that is not allowed.
func ValidateTopic(overrides map[string]string) error {
	for _, name := range slices.Sorted(maps.Keys(overrides)) {
		if err := setTopic(nil, name, overrides[name]); err != nil {
			return err
		}
	}
	return nil
}

// ResolveTopic is the effective configuration of a topic that sets overrides
// itself: those, else the broker's, else the defaults.
func ResolveTopic(b *Broker, overrides map[string]string) (Topic, error) {
	var topic Topic
	for name, k := range topicKeys {
		text, _, ok := brokerText(b, k.Definition)
		if !ok {
			text = k.Default
		}
		if err := k.set(&topic, text); err != nil {
			return Topic{}, &ValueError{Name: name, Value: text, Allowed: k.Allowed}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(overrides)) {
		if err := setTopic(&topic, name, overrides[name]); err != nil {
			return Topic{}, err
		}
	}
	if least, most := topic.MinCompactionLagMs, topic.MaxCompactionLagMs; least > most {
		return Topic{}, &ValueError{"min.compaction.lag.ms", strconv.FormatInt(least, 10),
			fmt.Sprintf("at most max.compaction.lag.ms, which is %d", most)}
	}
	return topic, nil
}

// setTopic stores into topic, or only checks when that is nil.
func setTopic(topic *Topic, name, text string) error {
	k, ok := topicKeys[name]
	switch {
	case ok:
		return k.set(topic, text)
	case removedTopicNames[name]:
		return nil
	}
	return &UnknownNameError{Name: name, What: "topic config", Nearest: nearestTopicName(name)}
}

// nearestTopicName looks among the brokers' configs first: whoever writes
// log.segment.bytes for a topic means segment.bytes.
func nearestTopicName(name string) string {
	for _, topic := range topicKeys.names() {
		if slices.Contains(topicKeys[topic].Synonyms, name) {
			return topic
		}
	}
	return Nearest(name, maps.Keys(topicKeys))
}

// brokerText is what the broker sets for a topic config, in the topic config's
// own unit, and where. Of several synonyms the first that is set wins.
func brokerText(b *Broker, d Definition) (text string, source int8, set bool) {
	text, source, set = brokerWritten(b, d)
	if d.Name == retention && strings.HasPrefix(strings.TrimSpace(text), "-") {
		text = "-1"
	}
	return text, source, set
}

// brokerWritten is the same as it was written.
func brokerWritten(b *Broker, d Definition) (text string, source int8, set bool) {
	for _, synonym := range d.Synonyms {
		if text, source, set := b.text(synonym); set {
			return fromUnit(synonym, text), source, true
		}
	}
	return "", SourceDefault, false
}
