package config

import (
	"maps"
	"slices"
)

// Where a value comes from, numbered as DescribeConfigs does.
const (
	SourceTopic      int8 = 1
	SourceOwnBroker  int8 = 2
	SourceAllBrokers int8 = 3
	SourceStatic     int8 = 4
	SourceDefault    int8 = 5
	SourceLogger     int8 = 6
)

// DescribeTopic describes every topic config, in order of name, for a topic
// that sets overrides itself.
func DescribeTopic(b *Broker, overrides map[string]string) []Entry {
	names := topicKeys.names()
	entries := make([]Entry, 0, len(names))
	for _, name := range names {
		entries = append(entries, describeTopicConfig(b, topicKeys[name].Definition, overrides))
	}
	return entries
}

func describeTopicConfig(b *Broker, d Definition, overrides map[string]string) Entry {
	entry := Entry{Definition: d, Value: d.Default, Source: SourceDefault, Synonyms: topicSynonyms(b, d)}
	if text, source, ok := brokerText(b, d); ok {
		entry.Value, entry.Source = canonical(d.Type, text), source
		entry.Written, _, _ = brokerWritten(b, d)
	}
	if text, ok := overrides[d.Name]; ok {
		entry.Value, entry.Written, entry.Source = canonical(d.Type, text), text, SourceTopic
		entry.Synonyms = append([]Synonym{{Name: d.Name, Value: entry.Value, Source: SourceTopic}}, entry.Synonyms...)
	}
	return entry
}

// topicSynonyms leaves out, as Kafka does, defaults that come before any entry
// of the first synonym.
func topicSynonyms(b *Broker, d Definition) []Synonym {
	all := brokerSynonyms(b, d.Synonyms)
	for len(all) > 0 && all[0].Source == SourceDefault && all[0].Name != d.Synonyms[0] {
		all = all[1:]
	}
	return all
}

// brokerSynonyms has the values of several broker configs, those that win
// first, the defaults last.
func brokerSynonyms(b *Broker, names []string) []Synonym {
	var synonyms []Synonym
	for _, layer := range b.layers() {
		for _, name := range names {
			if text, set := layer.values[name]; set {
				synonyms = append(synonyms, Synonym{name, canonical(brokerKeys[name].Type, text), layer.source})
			}
		}
	}
	for _, name := range names {
		if k := brokerKeys[name]; k.HasDefault && !k.Hidden {
			synonyms = append(synonyms, Synonym{name, k.Default, SourceDefault})
		}
	}
	return synonyms
}

// DescribeBroker describes every broker config, in order of name, and after
// them those that were set while it runs and are in no list: for one listener,
// or of a name that nobody knows.
func DescribeBroker(b *Broker) []Entry {
	var entries []Entry
	for _, name := range brokerKeys.names() {
		d := brokerKeys[name].Definition
		if _, _, set := b.text(name); set || !d.Hidden {
			entries = append(entries, describeBrokerConfig(b, d))
		}
	}
	others := map[string]bool{}
	for _, layer := range []map[string]string{b.forAll, b.own} {
		for name := range layer {
			if _, listed := brokerKeys[name]; !listed {
				others[name] = true
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(others)) {
		entries = append(entries, describeBrokerConfig(b, dynamicKey(name).Definition))
	}
	return entries
}

func describeBrokerConfig(b *Broker, d Definition) Entry {
	entry := Entry{Definition: d, Value: d.Default, Null: !d.HasDefault, Source: SourceDefault}
	if text, source, set := b.text(d.Name); set {
		entry.Value, entry.Null, entry.Source = canonical(d.Type, text), false, source
	}
	// What comes before the config's own entries is not what it falls back to.
	all := brokerSynonyms(b, fallbacks(d.Name))
	if own := slices.IndexFunc(all, func(s Synonym) bool { return s.Name == d.Name }); own >= 0 {
		entry.Synonyms = all[own:]
	}
	return entry
}

// fallbacks are a broker config and those that act if it is not set:
// log.retention.minutes and log.retention.hours for log.retention.ms.
func fallbacks(name string) []string {
	for _, k := range topicKeys {
		if at := slices.Index(k.Synonyms, name); at >= 0 && len(k.Synonyms) > 1 {
			return k.Synonyms[at:]
		}
	}
	return []string{name}
}

// DescribeAllBrokers describes what is set for all brokers while they run, in
// order of name.
func DescribeAllBrokers(b *Broker) []Entry {
	var entries []Entry
	for _, name := range slices.Sorted(maps.Keys(b.forAll)) {
		k := dynamicKey(name)
		value := canonical(k.Type, b.forAll[name])
		entries = append(entries, Entry{
			Definition: k.Definition, Value: value, Source: SourceAllBrokers,
			Synonyms: []Synonym{{Name: name, Value: value, Source: SourceAllBrokers}},
		})
	}
	return entries
}
