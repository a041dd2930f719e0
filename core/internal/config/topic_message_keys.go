package config

import "math"

// MostDecompressedBytes is the most that max.decompressed.message.bytes may be.
const MostDecompressedBytes = math.MaxInt32 - 8

// Topic configs about the batches that a topic takes.
func topicMessageKeys() []key[Topic] {
	return []key[Topic]{
		define(Definition{
			Name: "max.message.bytes", Default: "1048588", HasDefault: true, Synonyms: []string{"message.max.bytes"},
			Doc: "Largest record batch in bytes, after compression, that the topic takes.",
		}, integer(0, math.MaxInt32), func(t *Topic) *int32 { return &t.MaxMessageBytes }),
		define(Definition{
			Name: "max.decompressed.message.bytes", Default: "2147483639", HasDefault: true,
			Synonyms: []string{"max.decompressed.message.bytes"},
			Doc:      "Bytes that one compressed batch may have once it is decompressed.",
		}, integer(1, MostDecompressedBytes), func(t *Topic) *int32 { return &t.MaxDecompressedBytes }),
		define(Definition{
			Name: "message.timestamp.type", Default: "CreateTime", HasDefault: true, Synonyms: []string{"log.message.timestamp.type"},
			Doc: "Whether a record's timestamp is the producer's or the time of the append.",
		}, oneOf("CreateTime", "LogAppendTime"), func(t *Topic) *string { return &t.TimestampType }),
		define(Definition{
			Name: "message.timestamp.before.max.ms", Default: maxLong, HasDefault: true,
			Synonyms: []string{"log.message.timestamp.before.max.ms"},
			Doc:      "Milliseconds by which a record's timestamp may lie before the broker's clock.",
		}, long(0, math.MaxInt64), func(t *Topic) *int64 { return &t.TimestampBeforeMaxMs }),
		define(Definition{
			Name: "message.timestamp.after.max.ms", Default: "3600000", HasDefault: true,
			Synonyms: []string{"log.message.timestamp.after.max.ms"},
			Doc:      "Milliseconds by which a record's timestamp may lie after the broker's clock.",
		}, long(0, math.MaxInt64), func(t *Topic) *int64 { return &t.TimestampAfterMaxMs }),
		define(Definition{
			Name: "compression.type", Default: "producer", HasDefault: true, Synonyms: []string{"compression.type"},
			Doc: "The codec in which batches are stored; producer keeps them as they came.",
		}, oneOf("uncompressed", "zstd", "lz4", "snappy", "gzip", "producer"),
			func(t *Topic) *string { return &t.CompressionType }),
		define(Definition{
			Name: "compression.gzip.level", Default: "-1", HasDefault: true, Synonyms: []string{"compression.gzip.level"},
			Doc: "Level at which the broker compresses with gzip.",
		}, orElse(integer(1, 9), -1, "the default level"), func(t *Topic) *int32 { return &t.GzipLevel }),
		define(Definition{
			Name: "compression.lz4.level", Default: "9", HasDefault: true, Synonyms: []string{"compression.lz4.level"},
			Doc: "Level at which the broker compresses with lz4.",
		}, integer(1, 17), func(t *Topic) *int32 { return &t.Lz4Level }),
		define(Definition{
			Name: "compression.zstd.level", Default: "3", HasDefault: true, Synonyms: []string{"compression.zstd.level"},
			Doc: "Level at which the broker compresses with zstd.",
		}, integer(-131072, 22), func(t *Topic) *int32 { return &t.ZstdLevel }),
		define[Topic, bool](Definition{
			Name: "errors.deadletterqueue.group.enable", Default: "false", HasDefault: true,
			Doc: "Whether groups may use the topic as a dead letter queue (KIP-1191).",
		}, boolean(), nil),
	}
}
