package config

import (
	"math"
	"net"
	"time"
)

// Broker configs about which broker this is and where it keeps its data.
func brokerIdentityKeys() []key[Broker] {
	return []key[Broker]{
		define(Definition{
			Name: "node.id", Default: "1", HasDefault: true, Doc: "The broker's number in the cluster.",
		}, integer(0, math.MaxInt32), func(b *Broker) *int32 { return &b.NodeID }),
		define(Definition{
			Name: "broker.id", Default: "-1", HasDefault: true, Doc: "An older name of node.id.",
		}, integer(-1, math.MaxInt32), func(b *Broker) *int32 { return &b.brokerID }),
		define(Definition{
			Name: "broker.rack", Doc: "The rack, zone or region that the broker stands in.",
		}, text("the name of a rack"), func(b *Broker) *string { return &b.Rack }),
		define(Definition{
			Name: "log.dirs", Default: "data", HasDefault: true, Synonyms: []string{"log.dir"},
			Doc: "Directories for the partitions' logs, relative to where the broker is started.",
		}, directories(), func(b *Broker) *[]string { return &b.LogDirs }),
		define(Definition{
			Name: "log.dir", Doc: "The same, if log.dirs is not set.",
		}, directories(), func(b *Broker) *[]string { return &b.logDir }),
		define(Definition{
			Name: "log.dirs.lost", HasDefault: true,
			Doc: "Ids of missing log directories that are given up for good; what was in them is made anew, empty.",
		}, anyList(), func(b *Broker) *[]string { return &b.LogDirsLost }),
		define(Definition{
			Name: "metadata.log.dir", Doc: "Directory for the metadata log; the first of log.dirs if not set.",
		}, text("a directory"), func(b *Broker) *string { return &b.MetadataLogDir }),
	}
}

// Broker configs about new topics and about the broker's own tasks.
func brokerTopicKeys() []key[Broker] {
	return []key[Broker]{
		define(Definition{
			Name: "num.partitions", Default: "1", HasDefault: true,
			Doc: "Partitions of a topic that is created without a number of them.",
		}, integer(1, math.MaxInt32), func(b *Broker) *int32 { return &b.NumPartitions }),
		define(Definition{
			Name: "default.replication.factor", Default: "1", HasDefault: true,
			Doc: "Replicas of a topic that is created without a number of them.",
		}, integerAsShort(1, math.MaxInt16), func(b *Broker) *int16 { return &b.DefaultReplicationFactor }),
		define(Definition{
			Name: "auto.create.topics.enable", Default: "true", HasDefault: true,
			Doc: "Whether asking for a topic that is not there creates it, if the client allows that.",
		}, boolean(), func(b *Broker) *bool { return &b.AutoCreateTopics }),
		define(Definition{
			Name: "delete.topic.enable", Default: "true", HasDefault: true, Doc: "Whether clients may delete topics.",
		}, boolean(), func(b *Broker) *bool { return &b.DeleteTopics }),
		define(Definition{
			Name: "log.retention.check.interval.ms", Default: "300000", HasDefault: true,
			Doc: "Milliseconds between two looks for segments to delete.",
		}, milliseconds(Long, 1, math.MaxInt64), func(b *Broker) *time.Duration { return &b.RetentionCheckInterval }),
		define(Definition{
			Name: "producer.id.expiration.ms", Default: "86400000", HasDefault: true,
			Doc: "Milliseconds after which an idle producer's sequence numbers are forgotten.",
		}, milliseconds(Int, 1, math.MaxInt32), func(b *Broker) *time.Duration { return &b.ProducerIDExpiration }),
	}
}

// Broker configs about connections and requests.
func brokerNetworkKeys() []key[Broker] {
	return []key[Broker]{
		define(Definition{
			Name: "socket.request.max.bytes", Default: "104857600", HasDefault: true, Doc: "Largest request in bytes.",
		}, integer(1, math.MaxInt32), func(b *Broker) *int32 { return &b.SocketRequestMaxBytes }),
		define(Definition{
			Name: "fetch.max.bytes", Default: "57671680", HasDefault: true, Doc: "Largest answer to a fetch in bytes.",
		}, integer(1024, math.MaxInt32), func(b *Broker) *int32 { return &b.FetchMaxBytes }),
		define(Definition{
			Name: "connections.max.idle.ms", Default: "600000", HasDefault: true,
			Doc: "Milliseconds after which a connection without requests is closed; -1 for never.",
		}, milliseconds(Long, -1, math.MaxInt64), func(b *Broker) *time.Duration { return &b.ConnectionsMaxIdle }),
	}
}

// Broker configs that Kafka does not have.
func brokerOwnKeys() []key[Broker] {
	return []key[Broker]{
		define(Definition{
			Name: "admin.listener", Default: "127.0.0.1:9292", HasDefault: true,
			Doc: "Address of the admin HTTP server; empty for none.",
		}, adminAddress(), func(b *Broker) *string { return &b.AdminListener }),
		define(Definition{
			Name: "log.format", Default: "text", HasDefault: true, Doc: "Form of the broker's own log lines.",
		}, oneOf("text", "json"), func(b *Broker) *string { return &b.LogFormat }),
		define(Definition{
			Name: "log.level", Default: "info", HasDefault: true, Doc: "The least severe log lines that are written.",
		}, oneOf("trace", "debug", "info", "warn", "error", "off"), func(b *Broker) *string { return &b.LogLevel }),
		acting("metrics.group.partitions.enable", boolean(), "false",
			"Whether /metrics has offsets and lag of each partition of a group; only sums and maxima of a group otherwise.",
			func(b *Broker) *bool { return &b.Metrics.GroupPartitions }),
		acting("metrics.kafka.exporter.enable", boolean(), "false",
			"Whether /metrics has topics and groups under the names of kafka_exporter too, a series for each partition.",
			func(b *Broker) *bool { return &b.Metrics.KafkaExporter }),
		define(Definition{
			Name: "partitioner.call.timeout.ms", Default: "100", HasDefault: true,
			Doc: "Milliseconds that a partitioner has for one batch before the built-in one takes over.",
		}, milliseconds(Int, 1, math.MaxInt32), func(b *Broker) *time.Duration { return &b.PartitionerCallTimeout }),
		define(Definition{
			Name: "assignor.call.timeout.ms", Default: "5000", HasDefault: true,
			Doc: "Milliseconds that an assignor has for one group before the built-in one takes over.",
		}, milliseconds(Int, 1, math.MaxInt32), func(b *Broker) *time.Duration { return &b.AssignorCallTimeout }),
		define(Definition{
			Name: "codec.call.timeout.ms", Default: "10000", HasDefault: true,
			Doc: "Milliseconds that a codec has for one batch before the request fails.",
		}, milliseconds(Int, 1, math.MaxInt32), func(b *Broker) *time.Duration { return &b.CodecCallTimeout }),
	}
}

// Broker configs of Kafka that would leave the broker open to everyone if they
// were passed over, and so are refused until they act.
func brokerRefusedKeys() []key[Broker] {
	return []key[Broker]{
		define[Broker, string](Definition{
			Name: "authorizer.class.name", Default: "", HasDefault: true,
			Doc: "Must be empty: there is no authorizer yet, every client may do everything.",
		}, syntax[string]{String, "empty: there is no authorizer yet, and without one every client may do everything",
			func(text string) (string, bool) { return text, text == "" }}, nil),
	}
}

func directories() syntax[[]string] {
	s := listOf("a list of directories, each once")
	inner := s.parse
	s.parse = func(text string) ([]string, bool) {
		list, ok := inner(text)
		return list, ok && len(list) > 0
	}
	return s
}

func count(low, high int32) syntax[int] {
	inner := integer(low, high)
	return syntax[int]{inner.kind, inner.allowed, func(text string) (int, bool) {
		n, ok := inner.parse(text)
		return int(n), ok
	}}
}

func adminAddress() syntax[string] {
	return syntax[string]{String, "HOST:PORT, or empty for no admin server", func(text string) (string, bool) {
		if text == "" {
			return "", true
		}
		_, port, err := net.SplitHostPort(text)
		_, whole := parseWhole(port, 0, math.MaxUint16)
		return text, err == nil && whole
	}}
}
