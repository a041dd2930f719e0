package config

import (
	"math"
	"time"
)

// Broker configs about the work on logs that is not of one topic.
func logTaskKeys() []key[Broker] {
	return []key[Broker]{
		inert("log.flush.offset.checkpoint.interval.ms", integer(0, math.MaxInt32), "60000",
			"Milliseconds between two writes of the file with the recovery points."),
		inert("log.flush.start.offset.checkpoint.interval.ms", integer(0, math.MaxInt32), "60000",
			"Milliseconds between two writes of the file with the log start offsets."),
		inert("log.dir.failure.timeout.ms", long(1, math.MaxInt64), "30000",
			"Milliseconds after which a broker stops that could not tell the controller of a failed directory."),
		inert("cordoned.log.dirs", anyList(), "",
			"Directories of log.dirs that take no new partitions."),
		inert("num.recovery.threads.per.data.dir", integer(1, math.MaxInt32), "2",
			"Threads for each directory that open logs at a start and flush them at a stop."),
		inert("num.replica.alter.log.dirs.threads", anyInteger(), noDefault,
			"Threads that move partitions from one directory to another."),
	}
}

// Broker configs about compaction.
func cleanerKeys() []key[Broker] {
	return []key[Broker]{
		define(Definition{
			Name: "log.cleaner.enable", Default: "true", HasDefault: true,
			Doc: "Whether compacted topics are compacted.",
		}, boolean(), func(b *Broker) *bool { return &b.Cleaner.Enable }),
		inert("log.cleaner.threads", integer(0, math.MaxInt32), "1",
			"Threads that compact."),
		define(Definition{
			Name: "log.cleaner.backoff.ms", Default: "15000", HasDefault: true,
			Doc: "Pause in milliseconds between two looks at what there is to compact.",
		}, milliseconds(Long, 0, math.MaxInt64), func(b *Broker) *time.Duration { return &b.Cleaner.Backoff }),
		define(Definition{
			Name: "log.cleaner.dedupe.buffer.size", Default: "134217728", HasDefault: true,
			Doc: "Bytes for the newest offset of each key, of which one takes 64; a log with more new keys is compacted in several passes.",
		}, anyLong(), func(b *Broker) *int64 { return &b.Cleaner.DedupeBufferSize }),
		inert("log.cleaner.io.buffer.size", integer(0, math.MaxInt32), "524288",
			"Bytes for reading and writing, over all threads that compact."),
		inert("log.cleaner.io.buffer.load.factor", fraction(-math.MaxFloat64, math.MaxFloat64), "0.9",
			"Part of the buffer of keys that may be filled."),
		inert("log.cleaner.io.max.bytes.per.second", fraction(-math.MaxFloat64, math.MaxFloat64), "1.7976931348623157E308",
			"Bytes that compaction reads and writes in a second."),
	}
}

// Broker configs about the replication of topics.
func replicaKeys() []key[Broker] {
	return []key[Broker]{
		inert("num.replica.fetchers", integer(1, math.MaxInt32), "1",
			"Connections over which a broker copies from each leader."),
		inert("replica.fetch.max.bytes", integer(0, math.MaxInt32), "1048576",
			"Bytes of one partition that a follower asks for at a time."),
		inert("replica.fetch.min.bytes", anyInteger(), "1",
			"Bytes that a leader gathers before it answers a follower."),
		inert("replica.fetch.response.max.bytes", integer(0, math.MaxInt32), "10485760",
			"Bytes that a follower asks for at a time."),
		inert("replica.fetch.wait.max.ms", anyInteger(), "500",
			"Milliseconds for which a leader lets a follower wait for more."),
		inert("replica.fetch.backoff.ms", integer(0, math.MaxInt32), "1000",
			"Pause in milliseconds of a follower after an error."),
		define(Definition{
			Name: "replica.high.watermark.checkpoint.interval.ms", Default: "5000", HasDefault: true,
			Doc: "Milliseconds after which the file with the high watermarks is written when one has changed; without, at a stop only, if not above 0.",
		}, anyLong(), func(b *Broker) *int64 { return &b.HighWatermarkCheckpointMs }),
		inert("replica.lag.time.max.ms", anyLong(), "30000",
			"Milliseconds that a follower may lag behind and stay in sync."),
		inert("replica.selector.class", anyText(), noDefault,
			"Class that chooses the replica that a consumer reads from."),
		inert("replica.socket.receive.buffer.bytes", anyInteger(), "65536",
			"The receive buffer in bytes of a socket to a leader."),
		inert("replica.socket.timeout.ms", anyInteger(), "30000",
			"Milliseconds that a request to a leader may take."),
		inert("leader.replication.throttled.rate", long(0, math.MaxInt64), "9223372036854775807",
			"Bytes in a second that leaders send for throttled replicas."),
		inert("follower.replication.throttled.rate", long(0, math.MaxInt64), "9223372036854775807",
			"Bytes in a second that followers fetch for throttled replicas."),
		inert("replica.alter.log.dirs.io.max.bytes.per.second", long(0, math.MaxInt64), "9223372036854775807",
			"Bytes in a second for moves between the directories of a broker."),
	}
}
