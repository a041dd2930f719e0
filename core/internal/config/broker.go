// Package config has the broker's and the topics' configuration as values: the
// definition of every name, with its type, default and documentation, and the
// structs that the rest of the core reads. Where values come from (file,
// environment, command line) is the business of core/internal/wire/settings.
package config

import "time"

// Broker is the configuration of one broker. It does not change: with what is
// set while the broker runs it is another value; see [Broker.With]. In brackets the name in a configuration; the names are Kafka's
// where Kafka has one.
type Broker struct {
	NodeID int32  // node.id
	Rack   string // broker.rack

	Listeners     []Listener // listeners, advertised.listeners
	AdminListener string     // admin.listener; empty for none

	LogDirs        []string // log.dirs
	LogDirsLost    []string // log.dirs.lost, ids of directories
	MetadataLogDir string   // metadata.log.dir; the first of LogDirs by default

	NumPartitions            int32 // num.partitions
	DefaultReplicationFactor int16 // default.replication.factor
	AutoCreateTopics         bool  // auto.create.topics.enable
	DeleteTopics             bool  // delete.topic.enable

	SocketRequestMaxBytes int32         // socket.request.max.bytes
	FetchMaxBytes         int32         // fetch.max.bytes
	FetchSessions         int           // max.incremental.fetch.session.cache.slots
	MaxRequestPartitions  int           // max.request.partition.size.limit
	ConnectionsMaxIdle    time.Duration // connections.max.idle.ms
	ProducerIDExpiration  time.Duration // producer.id.expiration.ms

	MaxConnections               int            // max.connections
	MaxConnectionsPerIP          int            // max.connections.per.ip
	MaxConnectionsPerIPOverrides map[string]int // max.connections.per.ip.overrides, by address or host name
	MaxConnectionCreationRate    int            // max.connection.creation.rate
	QueuedMaxRequests            int            // queued.max.requests
	QueuedMaxRequestBytes        int64          // queued.max.request.bytes; no limit if not above 0
	SocketListenBacklogSize      int            // socket.listen.backlog.size
	SocketSendBufferBytes        int            // socket.send.buffer.bytes
	SocketReceiveBufferBytes     int            // socket.receive.buffer.bytes

	RetentionCheckInterval time.Duration // log.retention.check.interval.ms
	Cleaner                Cleaner
	// HighWatermarkCheckpointMs is replica.high.watermark.checkpoint.interval.ms.
	HighWatermarkCheckpointMs int64

	Metrics Metrics

	LogFormat string // log.format: text or json
	LogLevel  string // log.level

	PartitionerCallTimeout time.Duration // partitioner.call.timeout.ms
	AssignorCallTimeout    time.Duration // assignor.call.timeout.ms
	CodecCallTimeout       time.Duration // codec.call.timeout.ms

	RebalanceProtocols []string // group.coordinator.rebalance.protocols
	// Groups is what a group has that sets nothing itself.
	Groups       Groups
	OffsetsTopic OffsetsTopic

	// Topic is what a topic has that sets nothing itself.
	Topic Topic

	// Set has the text of every value that is not a default, by name. It is
	// what descriptions answer from; nobody changes it.
	Set map[string]string

	// forAll and own are what was set while brokers run; see [Broker.With].
	forAll, own map[string]string

	brokerID int32    // broker.id
	logDir   []string // log.dir
	// interBroker is inter.broker.listener.name.
	interBroker string
	groupBounds groupBounds
	// listen is what Listeners was made of.
	listen listenerValues
}

// Listener is one address at which clients connect, and the address that they
// are told.
type Listener struct {
	Name           string // PLAINTEXT
	Protocol       string // PLAINTEXT; others are refused for now
	Host           string
	Port           int32
	AdvertisedHost string
	AdvertisedPort int32
}

// Metrics is what /metrics has that is too much for most.
type Metrics struct {
	GroupPartitions bool // metrics.group.partitions.enable
	KafkaExporter   bool // metrics.kafka.exporter.enable
}

// Cleaner is how compacted topics are compacted.
type Cleaner struct {
	Enable           bool          // log.cleaner.enable
	Backoff          time.Duration // log.cleaner.backoff.ms
	DedupeBufferSize int64         // log.cleaner.dedupe.buffer.size
}

// Topic is the effective configuration of one topic.
type Topic struct {
	MaxMessageBytes      int32    // max.message.bytes
	MaxDecompressedBytes int32    // max.decompressed.message.bytes
	MinInSyncReplicas    int32    // min.insync.replicas
	CleanupPolicy        []string // cleanup.policy
	CompressionType      string   // compression.type
	GzipLevel            int32    // compression.gzip.level
	Lz4Level             int32    // compression.lz4.level
	ZstdLevel            int32    // compression.zstd.level
	SegmentBytes         int64    // segment.bytes
	SegmentMs            int64    // segment.ms
	SegmentJitterMs      int64    // segment.jitter.ms
	SegmentIndexBytes    int64    // segment.index.bytes
	IndexIntervalBytes   int64    // index.interval.bytes
	FileDeleteDelayMs    int64    // file.delete.delay.ms
	Preallocate          bool     // preallocate
	RetentionMs          int64    // retention.ms
	RetentionBytes       int64    // retention.bytes
	FlushMessages        int64    // flush.messages
	FlushMs              int64    // flush.ms
	DeleteRetentionMs    int64    // delete.retention.ms
	MinCleanableRatio    float64  // min.cleanable.dirty.ratio
	MinCompactionLagMs   int64    // min.compaction.lag.ms
	MaxCompactionLagMs   int64    // max.compaction.lag.ms
	TimestampType        string   // message.timestamp.type
	TimestampBeforeMaxMs int64    // message.timestamp.before.max.ms
	TimestampAfterMaxMs  int64    // message.timestamp.after.max.ms
	ReplicationStrategy  string   // replication.strategy
}
