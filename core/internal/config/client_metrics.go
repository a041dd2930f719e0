package config

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

// SourceClientMetrics is the source of what is set on a subscription to client
// metrics.
const SourceClientMetrics int8 = 7

// clientMetricsKeys are the configs of a subscription to the metrics that
// clients push (KIP-714).
var clientMetricsKeys = tableOf([]key[struct{}]{
	define[struct{}, int32](Definition{
		Name: "interval.ms", Default: "300000", HasDefault: true,
		Doc: "Milliseconds between two reports of a client.",
	}, integer(100, 3600000), nil),
	define[struct{}, []string](Definition{
		Name: "metrics", HasDefault: true,
		Doc: "What the names of the metrics begin with; * for all.",
	}, anyList(), nil),
	define[struct{}, []string](Definition{
		Name: "match", HasDefault: true,
		Doc: "Which clients report, as a list of SELECTOR=PATTERN; empty for all.",
	}, clientMatch(), nil),
})

var clientSelectors = []string{
	"client_instance_id", "client_id", "client_software_name", "client_software_version",
	"client_source_address", "client_source_port",
}

func clientMatch() syntax[[]string] {
	s := listOf("a list of SELECTOR=PATTERN with a regular expression and one of " + strings.Join(clientSelectors, ", "))
	inner := s.parse
	s.parse = func(text string) ([]string, bool) {
		list, ok := inner(text)
		for _, item := range list {
			selector, pattern, whole := strings.Cut(item, "=")
			_, err := regexp.Compile(pattern)
			ok = ok && whole && err == nil && slices.Contains(clientSelectors, selector)
		}
		return list, ok
	}
	return s
}

// CheckClientMetrics reports the first, in order of name, of a subscription's
// configs that is unknown or has a value that is not allowed.
func CheckClientMetrics(set map[string]string) error {
	for _, name := range slices.Sorted(maps.Keys(set)) {
		k, known := clientMetricsKeys[name]
		if !known {
			return &UnknownNameError{Name: name, What: "client metrics config", Nearest: Nearest(name, maps.Keys(clientMetricsKeys))}
		}
		if err := k.check(set[name]); err != nil {
			return err
		}
	}
	return nil
}

// DescribeClientMetrics describes every config of a subscription, in order of
// name.
func DescribeClientMetrics(set map[string]string) []Entry {
	var entries []Entry
	for _, name := range clientMetricsKeys.names() {
		d := clientMetricsKeys[name].Definition
		entry := Entry{Definition: d, Value: d.Default, Source: SourceDefault}
		if text, ok := set[name]; ok {
			entry.Value, entry.Source = canonical(d.Type, text), SourceClientMetrics
			entry.Synonyms = []Synonym{{Name: name, Value: entry.Value, Source: SourceClientMetrics}}
		}
		entries = append(entries, entry)
	}
	return entries
}
