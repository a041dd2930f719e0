package config

import "math"

// Broker configs about the members of share groups (KIP-932).
func shareGroupKeys() []key[Broker] {
	return []key[Broker]{
		inert("group.share.session.timeout.ms", integer(1, math.MaxInt32), "45000",
			"Milliseconds without a heartbeat after which a member of a share group is out."),
		inert("group.share.min.session.timeout.ms", integer(1, math.MaxInt32), "45000",
			"Shortest session timeout in milliseconds that a share group may set."),
		inert("group.share.max.session.timeout.ms", integer(1, math.MaxInt32), "60000",
			"Longest session timeout in milliseconds that a share group may set."),
		inert("group.share.heartbeat.interval.ms", integer(1, math.MaxInt32), "5000",
			"Milliseconds between two heartbeats of a member of a share group."),
		inert("group.share.min.heartbeat.interval.ms", integer(1, math.MaxInt32), "5000",
			"Shortest heartbeat interval in milliseconds that a share group may set."),
		inert("group.share.max.heartbeat.interval.ms", integer(1, math.MaxInt32), "15000",
			"Longest heartbeat interval in milliseconds that a share group may set."),
		inert("group.share.assignment.interval.ms", integer(0, math.MaxInt32), "1000",
			"Milliseconds between two assignments of one share group."),
		inert("group.share.min.assignment.interval.ms", integer(0, math.MaxInt32), "0",
			"Shortest assignment interval in milliseconds that a share group may set."),
		inert("group.share.max.assignment.interval.ms", integer(0, math.MaxInt32), "15000",
			"Longest assignment interval in milliseconds that a share group may set."),
		inert("group.share.assignors", anyList(), "simple",
			"Assignors of share groups; the first is the default."),
		inert("group.share.max.size", integer(1, 1000), "200",
			"Members that a share group may have."),
		inert("group.share.max.share.sessions", integer(1, math.MaxInt32), "2000",
			"Share sessions that the broker remembers."),
	}
}

// Broker configs about the records that share groups hold, and dead letters.
func shareRecordKeys() []key[Broker] {
	return []key[Broker]{
		inert("group.share.delivery.count.limit", integer(2, 10), "5",
			"Times that a record is delivered before a share group gives it up."),
		inert("group.share.min.delivery.count.limit", integer(2, 5), "2",
			"Smallest limit of deliveries that a share group may set."),
		inert("group.share.max.delivery.count.limit", integer(5, 25), "10",
			"Largest limit of deliveries that a share group may set."),
		inert("group.share.record.lock.duration.ms", integer(1000, 3600000), "30000",
			"Milliseconds for which a member of a share group has a record to itself."),
		inert("group.share.min.record.lock.duration.ms", integer(1000, 30000), "15000",
			"Shortest such time in milliseconds that a share group may set."),
		inert("group.share.max.record.lock.duration.ms", integer(30000, 3600000), "60000",
			"Longest such time in milliseconds that a share group may set."),
		inert("group.share.partition.max.record.locks", integer(100, 10000), "2000",
			"Records of one partition that a share group may hold at a time."),
		inert("group.share.min.partition.max.record.locks", integer(100, 2000), "100",
			"Smallest such number that a share group may set."),
		inert("group.share.max.partition.max.record.locks", integer(2000, 10000), "4000",
			"Largest such number that a share group may set."),
		inert("errors.deadletterqueue.auto.create.topics.enable", boolean(), "false",
			"Whether topics for dead letters are created when they are needed (KIP-1191)."),
		inert("errors.deadletterqueue.topic.name.prefix", anyText(), "dlq.",
			"What the name of a topic for dead letters has to begin with; empty for anything."),
	}
}

// Broker configs about the coordinator of share groups' state.
func shareCoordinatorKeys() []key[Broker] {
	return []key[Broker]{
		inert("share.coordinator.threads", integer(1, math.MaxInt32), "1",
			"Threads of the share coordinator."),
		inert("share.coordinator.append.linger.ms", integer(-1, math.MaxInt32), "-1",
			"Milliseconds for which the share coordinator gathers writes; -1 to let it choose."),
		inert("share.coordinator.cached.buffer.max.bytes", integer(524288, math.MaxInt32), "1048588",
			"Largest write buffer in bytes that the share coordinator keeps for reuse."),
		inert("share.coordinator.load.buffer.size", integer(1, math.MaxInt32), "5242880",
			"Bytes read at a time when the state of share groups is loaded."),
		inert("share.coordinator.snapshot.update.records.per.snapshot", integer(0, 500), "500",
			"Updates of a share partition's state between two snapshots of it."),
		inert("share.coordinator.write.timeout.ms", integer(1, math.MaxInt32), "5000",
			"Milliseconds that a write of the share coordinator may wait for its replicas."),
		inert("share.coordinator.state.topic.compression.codec", anyInteger(), "0",
			"Codec of the topic of share state: 0 none, 1 gzip, 2 snappy, 3 lz4, 4 zstd."),
		inert("share.coordinator.state.topic.min.isr", short(1, math.MaxInt16), "2",
			"Replicas of the topic of share state that have to be in sync."),
		inert("share.coordinator.state.topic.num.partitions", integer(1, math.MaxInt32), "50",
			"Partitions of the topic of share state."),
		inert("share.coordinator.state.topic.replication.factor", short(1, math.MaxInt16), "3",
			"Replicas of the topic of share state."),
		inert("share.coordinator.state.topic.segment.bytes", integer(1, math.MaxInt32), "104857600",
			"Size in bytes of a segment of the topic of share state."),
	}
}
