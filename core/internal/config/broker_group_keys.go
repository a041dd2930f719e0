package config

import "math"

// Broker configs about committed offsets.
func offsetKeys() []key[Broker] {
	return []key[Broker]{
		inert("offset.metadata.max.bytes", anyInteger(), "4096",
			"Bytes of text that a consumer may commit with an offset."),
		inert("offsets.commit.timeout.ms", integer(1, math.MaxInt32), "5000",
			"Milliseconds that a commit of offsets waits for its replicas."),
		inert("offsets.load.buffer.size", integer(1, math.MaxInt32), "5242880",
			"Bytes read at a time when the offsets are loaded."),
		inert("offsets.retention.check.interval.ms", long(1, math.MaxInt64), "600000",
			"Milliseconds between two looks for expired offsets."),
		inert("offsets.retention.minutes", integer(1, math.MaxInt32), "10080",
			"Minutes for which the offsets of a group without members are kept."),
		inert("offsets.topic.compression.codec", anyInteger(), "0",
			"Codec of the topic of offsets: 0 none, 1 gzip, 2 snappy, 3 lz4, 4 zstd."),
		inert("offsets.topic.num.partitions", integer(1, math.MaxInt32), "50",
			"Partitions of the topic of offsets."),
		inert("offsets.topic.replication.factor", short(1, math.MaxInt16), "3",
			"Replicas of the topic of offsets."),
		inert("offsets.topic.segment.bytes", integer(1, math.MaxInt32), "104857600",
			"Size in bytes of a segment of the topic of offsets."),
	}
}

// Broker configs about group coordinators and classic groups.
func groupCoordinatorKeys() []key[Broker] {
	return []key[Broker]{
		inert("group.coordinator.rebalance.protocols", words("consumer", "classic", "share", "streams"), "classic,consumer,streams",
			"Kinds of groups that the broker coordinates."),
		inert("group.coordinator.threads", integer(1, math.MaxInt32), "4",
			"Threads of the group coordinator."),
		inert("group.coordinator.background.threads", integer(1, math.MaxInt32), "2",
			"Threads for the group coordinator's longer tasks."),
		inert("group.coordinator.append.linger.ms", integer(-1, math.MaxInt32), "-1",
			"Milliseconds for which the group coordinator gathers writes; -1 to let it choose."),
		inert("group.coordinator.cached.buffer.max.bytes", integer(524288, math.MaxInt32), "1048588",
			"Largest write buffer in bytes that the group coordinator keeps for reuse."),
		inert("group.initial.rebalance.delay.ms", anyInteger(), "3000",
			"Milliseconds that a new classic group waits for more members."),
		inert("group.min.session.timeout.ms", anyInteger(), "6000",
			"Shortest session timeout in milliseconds that a member of a classic group may ask for."),
		inert("group.max.session.timeout.ms", anyInteger(), "1800000",
			"Longest session timeout in milliseconds that a member of a classic group may ask for."),
		inert("group.max.size", integer(1, math.MaxInt32), "2147483647",
			"Members that a classic group may have."),
	}
}

// Broker configs about consumer groups (KIP-848).
func consumerGroupKeys() []key[Broker] {
	return []key[Broker]{
		inert("group.consumer.session.timeout.ms", integer(1, math.MaxInt32), "45000",
			"Milliseconds without a heartbeat after which a member of a consumer group is out."),
		inert("group.consumer.min.session.timeout.ms", integer(1, math.MaxInt32), "45000",
			"Shortest session timeout in milliseconds that a consumer group may set."),
		inert("group.consumer.max.session.timeout.ms", integer(1, math.MaxInt32), "60000",
			"Longest session timeout in milliseconds that a consumer group may set."),
		inert("group.consumer.heartbeat.interval.ms", integer(1, math.MaxInt32), "5000",
			"Milliseconds between two heartbeats of a member of a consumer group."),
		inert("group.consumer.min.heartbeat.interval.ms", integer(1, math.MaxInt32), "5000",
			"Shortest heartbeat interval in milliseconds that a consumer group may set."),
		inert("group.consumer.max.heartbeat.interval.ms", integer(1, math.MaxInt32), "15000",
			"Longest heartbeat interval in milliseconds that a consumer group may set."),
		inert("group.consumer.assignment.interval.ms", integer(0, math.MaxInt32), "1000",
			"Milliseconds between two assignments of one consumer group."),
		inert("group.consumer.min.assignment.interval.ms", integer(0, math.MaxInt32), "0",
			"Shortest assignment interval in milliseconds that a consumer group may set."),
		inert("group.consumer.max.assignment.interval.ms", integer(0, math.MaxInt32), "15000",
			"Longest assignment interval in milliseconds that a consumer group may set."),
		inert("group.consumer.assignors", anyList(), "uniform,range",
			"Assignors of consumer groups; the first is the default."),
		inert("group.consumer.max.size", integer(1, math.MaxInt32), "2147483647",
			"Members that a consumer group may have."),
		inert("group.consumer.migration.policy", oneOfAnyCase("DISABLED", "DOWNGRADE", "UPGRADE", "BIDIRECTIONAL"), "bidirectional",
			"Which way a group may go between the classic and the consumer protocol while it has members."),
	}
}
