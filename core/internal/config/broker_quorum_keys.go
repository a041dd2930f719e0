package config

import "math"

// Broker configs about a broker's place in the cluster.
func clusterIdentityKeys() []key[Broker] {
	return []key[Broker]{
		inert("process.roles", words("broker", "controller"), noDefault,
			"What the process is: a broker, a controller, or both."),
		inert("controller.listener.names", anyList(), noDefault,
			"The listeners that controllers answer at."),
		inert("initial.broker.registration.timeout.ms", anyInteger(), "60000",
			"Milliseconds that a starting broker waits for the controller to register it."),
		inert("broker.heartbeat.interval.ms", anyInteger(), "2000",
			"Milliseconds between two heartbeats of a broker to the controller."),
		inert("broker.session.timeout.ms", anyInteger(), "9000",
			"Milliseconds without a heartbeat after which the controller takes a broker for dead."),
		inert("controlled.shutdown.enable", boolean(), "true",
			"Whether a broker hands its leaderships over before it stops."),
		inert("auto.leader.rebalance.enable", boolean(), "true",
			"Whether leadership goes back to preferred leaders by itself."),
		inert("leader.imbalance.check.interval.seconds", long(1, math.MaxInt64), "300",
			"Seconds between two checks for leaders that are not the preferred ones."),
		inert("controller.socket.timeout.ms", anyInteger(), "30000",
			"Milliseconds that a request to the controller may take."),
		inert("controller.quota.window.num", integer(1, math.MaxInt32), "11",
			"Samples that the quota on changes of the metadata is measured over."),
		inert("controller.quota.window.size.seconds", integer(1, math.MaxInt32), "1",
			"Seconds that one of those samples covers."),
	}
}

// Broker configs about the quorum of controllers.
func quorumKeys() []key[Broker] {
	return []key[Broker]{
		inert("controller.quorum.voters", anyList(), "",
			"The controllers that vote, as a list of ID@HOST:PORT."),
		inert("controller.quorum.bootstrap.servers", anyList(), "",
			"Addresses at which the quorum is found for the first time."),
		inert("controller.quorum.auto.join.enable", boolean(), "false",
			"Whether a new controller joins the voters by itself."),
		inert("controller.quorum.election.timeout.ms", integer(0, math.MaxInt32), "1000",
			"Milliseconds that a candidate waits for votes."),
		inert("controller.quorum.election.backoff.max.ms", integer(0, math.MaxInt32), "1000",
			"Longest pause in milliseconds after an election without a winner."),
		inert("controller.quorum.fetch.timeout.ms", integer(0, math.MaxInt32), "2000",
			"Milliseconds without a fetch from a majority after which a leader resigns."),
		inert("controller.quorum.fetch.max.bytes", integer(1, math.MaxInt32), "1048576",
			"Bytes of metadata that one fetch from the leader of the quorum brings."),
		inert("controller.quorum.fetch.snapshot.max.bytes", integer(1, math.MaxInt32), "1048576",
			"Bytes of a metadata snapshot that one fetch brings."),
		inert("controller.quorum.request.timeout.ms", integer(0, math.MaxInt32), "2000",
			"Milliseconds that a request among controllers may take."),
		inert("controller.quorum.retry.backoff.ms", integer(0, math.MaxInt32), "20",
			"Pause in milliseconds before such a request is tried again."),
		inert("controller.quorum.append.linger.ms", integer(0, math.MaxInt32), "25",
			"Milliseconds for which records are gathered before they are written to the metadata log."),
	}
}

// Broker configs about the metadata log.
func metadataLogKeys() []key[Broker] {
	return []key[Broker]{
		inert("metadata.log.segment.bytes", integer(8388608, math.MaxInt32), "1073741824",
			"Size in bytes at which a segment of the metadata log is full."),
		inert("metadata.log.segment.ms", anyLong(), "604800000",
			"Age in milliseconds at which a segment of the metadata log is closed."),
		inert("metadata.log.max.record.bytes.between.snapshots", long(1, math.MaxInt64), "20971520",
			"Bytes of metadata records after which a snapshot is written."),
		inert("metadata.log.max.snapshot.interval.ms", long(0, math.MaxInt64), "3600000",
			"Milliseconds after which a snapshot is written even if little changed."),
		inert("metadata.max.retention.bytes", anyLong(), "104857600",
			"Bytes of metadata log and snapshots that are kept."),
		inert("metadata.max.retention.ms", anyLong(), "604800000",
			"Milliseconds for which old metadata log and snapshots are kept."),
		inert("metadata.max.idle.interval.ms", integer(0, math.MaxInt32), "500",
			"Milliseconds after which an idle controller writes a record that changes nothing; 0 for never."),
	}
}
