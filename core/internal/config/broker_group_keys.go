package config

import "math"

// acting makes the key of a broker config with a default, whose value goes to a
// field.
func acting[T any](name string, s syntax[T], standard, doc string, field func(*Broker) *T) key[Broker] {
	return define(Definition{Name: name, Default: standard, HasDefault: true, Doc: doc}, s, field)
}

// Broker configs about committed offsets.
func offsetKeys() []key[Broker] {
	return []key[Broker]{
		acting("offset.metadata.max.bytes", anyInteger(), "4096",
			"Characters of text that a consumer may commit with an offset.",
			func(b *Broker) *int32 { return &b.Groups.OffsetMetadataMaxSize }),
		inert("offsets.commit.timeout.ms", integer(1, math.MaxInt32), "5000",
			"Milliseconds that a commit of offsets waits for its replicas."),
		inert("offsets.load.buffer.size", integer(1, math.MaxInt32), "5242880",
			"Bytes read at a time when the offsets are loaded."),
		acting("offsets.retention.check.interval.ms", long(1, math.MaxInt64), "600000",
			"Milliseconds between two looks for expired offsets.",
			func(b *Broker) *int64 { return &b.Groups.OffsetsRetentionCheckIntervalMs }),
		acting("offsets.retention.minutes", minutesAsMs(), "10080",
			"Minutes for which the offsets of a group without members are kept.",
			func(b *Broker) *int64 { return &b.Groups.OffsetsRetentionMs }),
		acting("offsets.topic.compression.codec", anyInteger(), "0",
			"Codec of the topic of offsets: 0 none, 1 gzip, 2 snappy, 3 lz4, 4 zstd.",
			func(b *Broker) *int32 { return &b.OffsetsTopic.Codec }),
		acting("offsets.topic.num.partitions", integer(1, math.MaxInt32), "50",
			"Partitions of the topic of offsets.",
			func(b *Broker) *int32 { return &b.OffsetsTopic.Partitions }),
		acting("offsets.topic.replication.factor", short(1, math.MaxInt16), "3",
			"Replicas of the topic of offsets; as many as there are brokers, if there are fewer.",
			func(b *Broker) *int16 { return &b.OffsetsTopic.ReplicationFactor }),
		acting("offsets.topic.segment.bytes", integer(1<<20, math.MaxInt32), "104857600",
			"Size in bytes of a segment of the topic of offsets.",
			func(b *Broker) *int32 { return &b.OffsetsTopic.SegmentBytes }),
		acting("offsets.topic.lost", offsetRanges(), "",
			"What of the topic of offsets is given up for good where it is damaged; groups go on from what is intact.",
			func(b *Broker) *[]Offsets { return &b.OffsetsTopic.Lost }),
	}
}

// Broker configs about group coordinators and classic groups.
func groupCoordinatorKeys() []key[Broker] {
	return []key[Broker]{
		acting(rebalanceProtocols, protocolsOfGroups(), "classic,consumer,streams",
			"Protocols of groups that the broker coordinates. Without consumer, members of the consumer protocol are refused; "+
				"share and streams have no effect yet: such groups are not coordinated.",
			func(b *Broker) *[]string { return &b.RebalanceProtocols }),
		inert("group.coordinator.threads", integer(1, math.MaxInt32), "4",
			"Threads of the group coordinator."),
		inert("group.coordinator.background.threads", integer(1, math.MaxInt32), "2",
			"Threads for the group coordinator's longer tasks."),
		inert("group.coordinator.append.linger.ms", integer(-1, math.MaxInt32), "-1",
			"Milliseconds for which the group coordinator gathers writes; -1 to let it choose."),
		inert("group.coordinator.cached.buffer.max.bytes", integer(524288, math.MaxInt32), "1048588",
			"Largest write buffer in bytes that the group coordinator keeps for reuse."),
		acting("group.initial.rebalance.delay.ms", anyInteger(), "3000",
			"Milliseconds that a new classic group waits for more members.",
			func(b *Broker) *int32 { return &b.Groups.InitialRebalanceDelayMs }),
		acting("group.min.session.timeout.ms", anyInteger(), "6000",
			"Shortest session timeout in milliseconds that a member of a classic group may ask for.",
			func(b *Broker) *int32 { return &b.Groups.MinSessionTimeoutMs }),
		acting("group.max.session.timeout.ms", anyInteger(), "1800000",
			"Longest session timeout in milliseconds that a member of a classic group may ask for.",
			func(b *Broker) *int32 { return &b.Groups.MaxSessionTimeoutMs }),
		acting("group.max.size", integer(1, math.MaxInt32), "2147483647",
			"Members that a classic group may have.",
			func(b *Broker) *int32 { return &b.Groups.MaxSize }),
	}
}

// Broker configs about consumer groups (KIP-848).
func consumerGroupKeys() []key[Broker] {
	return []key[Broker]{
		acting("group.consumer.session.timeout.ms", integer(1, math.MaxInt32), "45000",
			"Milliseconds without a heartbeat after which a member of a consumer group is out.",
			func(b *Broker) *int32 { return &b.Groups.ConsumerSessionTimeoutMs }),
		acting("group.consumer.min.session.timeout.ms", integer(1, math.MaxInt32), "45000",
			"Shortest session timeout in milliseconds that a consumer group may set.",
			func(b *Broker) *int32 { return &b.groupBounds.sessionTimeout.least }),
		acting("group.consumer.max.session.timeout.ms", integer(1, math.MaxInt32), "60000",
			"Longest session timeout in milliseconds that a consumer group may set.",
			func(b *Broker) *int32 { return &b.groupBounds.sessionTimeout.most }),
		acting("group.consumer.heartbeat.interval.ms", integer(1, math.MaxInt32), "5000",
			"Milliseconds between two heartbeats of a member of a consumer group.",
			func(b *Broker) *int32 { return &b.Groups.ConsumerHeartbeatIntervalMs }),
		acting("group.consumer.min.heartbeat.interval.ms", integer(1, math.MaxInt32), "5000",
			"Shortest heartbeat interval in milliseconds that a consumer group may set.",
			func(b *Broker) *int32 { return &b.groupBounds.heartbeatInterval.least }),
		acting("group.consumer.max.heartbeat.interval.ms", integer(1, math.MaxInt32), "15000",
			"Longest heartbeat interval in milliseconds that a consumer group may set.",
			func(b *Broker) *int32 { return &b.groupBounds.heartbeatInterval.most }),
		acting("group.consumer.assignment.interval.ms", integer(0, math.MaxInt32), "1000",
			"Milliseconds between two assignments of one consumer group.",
			func(b *Broker) *int32 { return &b.Groups.ConsumerAssignmentIntervalMs }),
		acting("group.consumer.min.assignment.interval.ms", integer(0, math.MaxInt32), "0",
			"Shortest assignment interval in milliseconds that a consumer group may set.",
			func(b *Broker) *int32 { return &b.groupBounds.assignmentInterval.least }),
		acting("group.consumer.max.assignment.interval.ms", integer(0, math.MaxInt32), "15000",
			"Longest assignment interval in milliseconds that a consumer group may set.",
			func(b *Broker) *int32 { return &b.groupBounds.assignmentInterval.most }),
		acting("group.consumer.assignors", anyList(), "uniform,range",
			"Assignors of consumer groups, by the names of their modules; the first is the default.",
			func(b *Broker) *[]string { return &b.Groups.ConsumerAssignors }),
		acting("group.consumer.max.size", integer(1, math.MaxInt32), "2147483647",
			"Members that a consumer group may have.",
			func(b *Broker) *int32 { return &b.Groups.ConsumerMaxSize }),
		acting("group.consumer.migration.policy", oneOfAnyCase("DISABLED", "DOWNGRADE", "UPGRADE", "BIDIRECTIONAL"), "bidirectional",
			"Which way a group may go between the classic and the consumer protocol while it has members.",
			func(b *Broker) *string { return &b.Groups.ConsumerMigrationPolicy }),
		define(Definition{
			Name: "group.consumer.regex.refresh.interval.ms", Default: "600000", HasDefault: true, Hidden: true,
			Doc: "Milliseconds after which a regular expression that a consumer group subscribes to is resolved anew.",
		}, long(10_000, math.MaxInt64), func(b *Broker) *int64 { return &b.Groups.RegexRefreshIntervalMs }),
	}
}
