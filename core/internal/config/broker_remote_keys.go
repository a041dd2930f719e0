package config

import "math"

// Broker configs about tiered storage (KIP-405).
func remoteStorageKeys() []key[Broker] {
	return []key[Broker]{
		inert("remote.log.storage.system.enable", boolean(), "false",
			"Whether the broker has remote storage at all."),
		inert("remote.log.storage.manager.class.name", anyText(), noDefault,
			"Class that keeps segments remotely."),
		inert("remote.log.storage.manager.class.path", anyText(), noDefault,
			"Where the classes of remote storage are loaded from."),
		inert("remote.log.storage.manager.impl.prefix", anyText(), "rsm.config.",
			"Prefix of the configs that the class for remote segments is given."),
		inert("remote.log.metadata.manager.class.name", anyText(), "org.apache.kafka.server.log.remote.metadata.storage.TopicBasedRemoteLogMetadataManager",
			"Class that remembers which segments are remote."),
		inert("remote.log.metadata.manager.class.path", anyText(), noDefault,
			"Where the classes that remember remote segments are loaded from."),
		inert("remote.log.metadata.manager.impl.prefix", anyText(), "rlmm.config.",
			"Prefix of the configs that the class for remote metadata is given."),
		inert("remote.log.metadata.manager.listener.name", anyText(), noDefault,
			"The listener over which that class reaches the broker."),
		inert("remote.log.metadata.custom.metadata.max.bytes", integer(0, math.MaxInt32), "128",
			"Bytes that a class for remote segments may note about one."),
		inert("remote.log.index.file.cache.total.size.bytes", long(1, math.MaxInt64), "1073741824",
			"Bytes for indexes of remote segments that are kept on the broker."),
		inert("remote.fetch.max.wait.ms", integer(1, math.MaxInt32), "500",
			"Milliseconds that a fetch may wait for remote data."),
		inert("remote.list.offsets.request.timeout.ms", long(1, math.MaxInt64), "30000",
			"Milliseconds that a look-up of offsets in remote data may take."),
		inert("follower.fetch.last.tiered.offset.enable", boolean(), "false",
			"Whether a new follower starts where the leader's remote data ends."),
	}
}

// Broker configs about the tasks of tiered storage.
func remoteTaskKeys() []key[Broker] {
	return []key[Broker]{
		inert("remote.log.manager.task.interval.ms", long(1, math.MaxInt64), "30000",
			"Milliseconds between two rounds of copying and deleting."),
		inert("remote.log.manager.thread.pool.size", integer(1, math.MaxInt32), "2",
			"Threads for the tasks of tiered storage."),
		inert("remote.log.manager.copier.thread.pool.size", integer(1, math.MaxInt32), "10",
			"Threads that copy segments to remote storage."),
		inert("remote.log.manager.expiration.thread.pool.size", integer(1, math.MaxInt32), "10",
			"Threads that delete expired remote segments."),
		inert("remote.log.manager.follower.thread.pool.size", integer(1, math.MaxInt32), "2",
			"Threads that follow what is remote on a follower."),
		inert("remote.log.manager.copy.max.bytes.per.second", long(1, math.MaxInt64), "9223372036854775807",
			"Bytes in a second that are copied to remote storage."),
		inert("remote.log.manager.copy.quota.window.num", integer(1, math.MaxInt32), "11",
			"Samples that this limit is measured over."),
		inert("remote.log.manager.copy.quota.window.size.seconds", integer(1, math.MaxInt32), "1",
			"Seconds that one sample of it covers."),
		inert("remote.log.manager.fetch.max.bytes.per.second", long(1, math.MaxInt64), "9223372036854775807",
			"Bytes in a second that are read from remote storage."),
		inert("remote.log.manager.fetch.quota.window.num", integer(1, math.MaxInt32), "11",
			"Samples that the limit on remote reads is measured over."),
		inert("remote.log.manager.fetch.quota.window.size.seconds", integer(1, math.MaxInt32), "1",
			"Seconds that one sample of that limit covers."),
		inert("remote.log.reader.threads", integer(1, math.MaxInt32), "10",
			"Threads that read remote segments."),
		inert("remote.log.reader.max.pending.tasks", integer(1, math.MaxInt32), "100",
			"Remote reads that may wait; more are refused."),
	}
}
