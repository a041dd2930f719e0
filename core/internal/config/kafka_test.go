package config

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// differences are where a broker config is described otherwise than by Kafka
// 4.4.0, and why. A name without a line in testdata is one that Kafka does not
// have.
var differences = map[string]string{
	"listeners default":                        "nothing but loopback is bound unless somebody asks for it",
	"listeners read-only":                      "a listener comes and goes by a restart",
	"listener.security.protocol.map default":   "the same map; Kafka's is in the order of a hash table",
	"listener.security.protocol.map read-only": "as listeners",
	"node.id default":                          "a broker starts without a configuration",
	"log.dirs default":                         "a broker starts without a configuration, beside where it is started",
	"log.dir default":                          "log.dirs has the default; a directory that a restart of the machine empties is none to lose data in",
	"admin.listener":                           "the admin server is ours",
	"log.dirs.lost":                            "Kafka makes anew what it does not find",
	"offsets.topic.lost":                       "Kafka coordinates no group of a partition with a damaged batch until somebody cuts its log, or takes what is in the batch for right",
	"metrics.group.partitions.enable":          "/metrics is ours",
	"metrics.kafka.exporter.enable":            "/metrics is ours",
	"log.format":                               "the form of log lines is set in Kafka by its logging library",
	"log.level":                                "the level of log lines is set in Kafka by its logging library",
	"replication.strategy":                     "strategies are modules here",
	"partitioner.call.timeout.ms":              "modules may hang",
	"assignor.call.timeout.ms":                 "modules may hang",
	"codec.call.timeout.ms":                    "modules may hang",
}

// kafkas is a config as Kafka describes it.
type kafkas struct {
	kind, standard   string
	readOnly, secret bool
}

func readKafkas(t *testing.T, name string) map[string]kafkas {
	t.Helper()
	file, err := os.ReadFile("testdata/kafka-4.4.0/" + name)
	require.NoError(t, err)
	configs := map[string]kafkas{}
	for line := range strings.Lines(string(file)) {
		column := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		require.Len(t, column, 5, line)
		configs[column[0]] = kafkas{column[1], column[2], column[3] == "read-only", column[4] == "secret"}
	}
	return configs
}

var typeNames = map[Type]string{
	Boolean: "BOOLEAN", String: "STRING", Int: "INT", Short: "SHORT", Long: "LONG",
	Double: "DOUBLE", List: "LIST", Class: "CLASS", Password: "PASSWORD",
}

func TestConfigsAreKafkas(t *testing.T) {
	b := Default()
	found := map[string]bool{}
	for file, entries := range map[string][]Entry{"topic.tsv": DescribeTopic(&b, nil), "broker.tsv": DescribeBroker(&b)} {
		theirs := readKafkas(t, file)
		for _, e := range entries {
			d := e.Definition
			k, known := theirs[d.Name]
			delete(theirs, d.Name)
			if !known {
				found[d.Name] = true
				continue
			}
			require.Equal(t, k.kind, typeNames[d.Type], "%s: %s: type", file, d.Name)
			require.Equal(t, k.secret, d.Sensitive, "%s: %s: secret", file, d.Name)
			if ours := standardOf(d); ours != k.standard {
				t.Logf("%s: %s: default %s, Kafka has %s", file, d.Name, ours, k.standard)
				found[d.Name+" default"] = true
			}
			if d.ReadOnly != k.readOnly {
				found[d.Name+" read-only"] = true
			}
		}
		require.Empty(t, theirs, "%s: Kafka has these and we do not", file)
	}
	allowed := map[string]bool{}
	for difference := range differences {
		allowed[difference] = true
	}
	require.Equal(t, allowed, found, "what is different has to be among the differences, and the other way round")
}

func standardOf(d Definition) string {
	if !d.HasDefault {
		return "none"
	}
	return "=" + d.Default
}

func TestNoNameIsDefinedTwice(t *testing.T) {
	seen := map[string]bool{}
	for _, group := range [][]key[Broker]{
		synonymKeys(topicKeys), brokerIdentityKeys(), brokerListenerKeys(), brokerTopicKeys(),
		brokerNetworkKeys(), connectionKeys(), brokerOwnKeys(), brokerRefusedKeys(), offsetKeys(), groupCoordinatorKeys(), consumerGroupKeys(), brokerInertKeys(),
	} {
		for _, k := range group {
			require.False(t, seen[k.Name], k.Name)
			seen[k.Name] = true
		}
	}
	require.Len(t, seen, len(brokerKeys), "a list of names has one that is not defined")
}

func TestListsOfNamesHaveKnownNamesOnce(t *testing.T) {
	seen := map[string]bool{}
	for _, name := range append(strings.Fields(oneBrokerNames), strings.Fields(oneOrAllBrokersNames)...) {
		require.NotEmpty(t, brokerKeys[name].Name, name)
		require.False(t, seen[name], name)
		seen[name] = true
	}
	for _, name := range append(strings.Fields(hiddenNames), strings.Fields(listenerOnlyNames)...) {
		require.True(t, seen[name], fmt.Sprintf("%s cannot be set while brokers run", name))
	}
}
