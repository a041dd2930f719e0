package config

import "math"

// Broker configs about streams groups (KIP-1071).
func streamsGroupKeys() []key[Broker] {
	return []key[Broker]{
		inert("group.streams.session.timeout.ms", integer(1, math.MaxInt32), "45000",
			"Milliseconds without a heartbeat after which a member of a streams group is out."),
		inert("group.streams.min.session.timeout.ms", integer(1, math.MaxInt32), "45000",
			"Shortest session timeout in milliseconds that a streams group may set."),
		inert("group.streams.max.session.timeout.ms", integer(1, math.MaxInt32), "60000",
			"Longest session timeout in milliseconds that a streams group may set."),
		inert("group.streams.heartbeat.interval.ms", integer(1, math.MaxInt32), "5000",
			"Milliseconds between two heartbeats of a member of a streams group."),
		inert("group.streams.min.heartbeat.interval.ms", integer(1, math.MaxInt32), "5000",
			"Shortest heartbeat interval in milliseconds that a streams group may set."),
		inert("group.streams.max.heartbeat.interval.ms", integer(1, math.MaxInt32), "15000",
			"Longest heartbeat interval in milliseconds that a streams group may set."),
		inert("group.streams.assignment.interval.ms", integer(0, math.MaxInt32), "1000",
			"Milliseconds between two assignments of one streams group."),
		inert("group.streams.min.assignment.interval.ms", integer(0, math.MaxInt32), "0",
			"Shortest assignment interval in milliseconds that a streams group may set."),
		inert("group.streams.max.assignment.interval.ms", integer(0, math.MaxInt32), "15000",
			"Longest assignment interval in milliseconds that a streams group may set."),
		inert("group.streams.assignors", anyList(), "sticky",
			"Assignors of streams groups; the first is the default."),
		inert("group.streams.max.size", integer(1, math.MaxInt32), "2147483647",
			"Members that a streams group may have."),
		inert("group.streams.initial.rebalance.delay.ms", integer(0, math.MaxInt32), "3000",
			"Milliseconds that a new streams group waits for more members."),
		inert("group.streams.num.standby.replicas", integer(0, math.MaxInt32), "0",
			"Standby copies of each task of a streams group."),
		inert("group.streams.max.standby.replicas", integer(0, math.MaxInt32), "2",
			"Largest number of standby copies that a streams group may set."),
		inert("group.streams.rack.aware.assignment.tags", anyList(), "",
			"Client tags by which standby copies are spread."),
		inert("group.streams.topology.description.plugin.class", className(), noDefault,
			"Class that keeps the descriptions of topologies."),
	}
}
