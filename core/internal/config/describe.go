package config

import "strings"

// Where a value comes from, numbered as DescribeConfigs does.
const (
	SourceTopic   int8 = 1
	SourceStatic  int8 = 4
	SourceDefault int8 = 5
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
	entry := Entry{Definition: d, Value: d.Default, Source: SourceDefault, Synonyms: brokerSynonyms(b, d)}
	if text, ok := brokerText(b, d); ok {
		entry.Value, entry.Source = text, SourceStatic
	}
	if text, ok := overrides[d.Name]; ok {
		entry.Value, entry.Source = strings.TrimSpace(text), SourceTopic
		entry.Synonyms = append([]Synonym{{Name: d.Name, Value: entry.Value, Source: SourceTopic}}, entry.Synonyms...)
	}
	return entry
}

// brokerSynonyms has what is set before what is a default, each in the order
// in which they win.
func brokerSynonyms(b *Broker, d Definition) []Synonym {
	var synonyms []Synonym
	for _, name := range d.Synonyms {
		if text, ok := b.Set[name]; ok {
			synonyms = append(synonyms, Synonym{Name: name, Value: text, Source: SourceStatic})
		}
	}
	for _, name := range d.Synonyms {
		if broker := brokerKeys[name]; broker.HasDefault {
			synonyms = append(synonyms, Synonym{Name: name, Value: broker.Default, Source: SourceDefault})
		}
	}
	return synonyms
}

// DescribeBroker describes every broker config that acts, in order of name. All
// of them are read-only: they change by a restart.
func DescribeBroker(b *Broker) []Entry {
	names := brokerKeys.names()
	entries := make([]Entry, 0, len(names))
	for _, name := range names {
		entries = append(entries, describeBrokerConfig(b, brokerKeys[name].Definition))
	}
	return entries
}

func describeBrokerConfig(b *Broker, d Definition) Entry {
	d.ReadOnly = true
	entry := Entry{Definition: d, Value: d.Default, Null: !d.HasDefault, Source: SourceDefault}
	text, set := b.Set[d.Name]
	if set {
		entry.Value, entry.Null, entry.Source = text, false, SourceStatic
		entry.Synonyms = append(entry.Synonyms, Synonym{Name: d.Name, Value: text, Source: SourceStatic})
	}
	if d.HasDefault {
		entry.Synonyms = append(entry.Synonyms, Synonym{Name: d.Name, Value: d.Default, Source: SourceDefault})
	}
	return entry
}
