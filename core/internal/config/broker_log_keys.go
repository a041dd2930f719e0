package config

import "math"

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
		inert("log.cleaner.enable", boolean(), "true",
			"Whether compacted topics are compacted."),
		inert("log.cleaner.threads", integer(0, math.MaxInt32), "1",
			"Threads that compact."),
		inert("log.cleaner.backoff.ms", long(0, math.MaxInt64), "15000",
			"Pause in milliseconds when there is nothing to compact."),
		inert("log.cleaner.dedupe.buffer.size", anyLong(), "134217728",
			"Bytes for the newest offset of each key, over all threads that compact."),
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
		inert("replica.high.watermark.checkpoint.interval.ms", anyLong(), "5000",
			"Milliseconds between two writes of the file with the high watermarks."),
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
