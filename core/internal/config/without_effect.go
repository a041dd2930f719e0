package config

import (
	_ "embed"
	"strings"
)

//go:embed kafka_names.txt
var kafkaNamesFile string

var kafkaNames = readKafkaNames(kafkaNamesFile)

func readKafkaNames(file string) map[string]bool {
	names := map[string]bool{}
	for line := range strings.Lines(file) {
		if name := strings.TrimSpace(line); name != "" && !strings.HasPrefix(name, "#") {
			names[name] = true
		}
	}
	return names
}

// WithoutEffect reports whether Kafka has a broker config of that name which
// nothing here acts on yet: it may stand in a configuration, and the broker
// says at its start that it changes nothing.
func WithoutEffect(name string) bool {
	if k, known := brokerKeys[name]; known {
		return k.Inert
	}
	return kafkaNames[name] || strings.HasPrefix(name, "listener.name.")
}
