package kafkatools

var clusterSteps = []step{
	{name: "list API versions", command: "BrokerApiVersionsCommand"},
	{name: "describe features", command: "FeatureCommand describe", key: updateFeatures, normal: metadataLog},
	{name: "describe the quorum's status", command: "MetadataQuorumCommand describe --status", key: describeQuorum, normal: metadataLog},
	{name: "describe the quorum's replication", command: "MetadataQuorumCommand describe --replication", key: describeQuorum, normal: metadataLog},
	{name: "describe log directories", command: "LogDirsCommand --describe", key: describeLogDirs, unordered: true, normal: logDirs},
	{name: "describe the log directories of a topic", command: "LogDirsCommand --describe --topic-list console,absent", key: describeLogDirs, unordered: true, normal: logDirs},
	{name: "describe the log directories of a broker that is not there", command: "LogDirsCommand --describe --broker-list 7", key: describeLogDirs, unordered: true, normal: logDirs},
	{name: "elect preferred leaders", command: "LeaderElectionCommand --election-type preferred --all-topic-partitions", key: electLeaders},
	{name: "elect an unclean leader", command: "LeaderElectionCommand --election-type unclean --topic events --partition 0", key: electLeaders},
	{name: "elect a leader of a topic that is not there", command: "LeaderElectionCommand --election-type preferred --topic absent --partition 0", key: electLeaders},
	{name: "list reassignments", command: "reassign.ReassignPartitionsCommand --list", key: listReassignments},
	{name: "describe producers", command: "TransactionsCommand describe-producers --topic verified --partition 0", key: describeProducers},
	{name: "describe cluster id", command: "ClusterTool cluster-id --bootstrap-server BROKER"},
	{name: "list endpoints", command: "ClusterTool list-endpoints --bootstrap-server BROKER"},
}
