package kafkatools

// API keys that not every broker serves.
const (
	deleteRecords           = 21
	describeACLs            = 29
	describeLogDirs         = 35
	electLeaders            = 43
	incrementalAlterConfigs = 44
	listReassignments       = 46
	describeQuorum          = 55
	updateFeatures          = 57
	describeProducers       = 61
	listConfigResources     = 74
)

var topicSteps = []step{
	{name: "create a topic", command: "TopicCommand --create --topic events --partitions 3 --replication-factor 1 --config retention.ms=3600000", changes: true},
	{name: "create it again", command: "TopicCommand --create --topic events"},
	{name: "create it if it is not there", command: "TopicCommand --create --topic events --if-not-exists"},
	{name: "create a topic with the broker's defaults", command: "TopicCommand --create --topic with.dots", changes: true},
	{name: "create a topic whose name collides", command: "TopicCommand --create --topic with_dots"},
	{name: "create a topic with an illegal name", command: "TopicCommand --create --topic bad!name"},
	{name: "create a topic of two dots", command: "TopicCommand --create --topic .."},
	{name: "create a topic with two replicas", command: "TopicCommand --create --topic two --replication-factor 2"},
	{name: "create a topic without partitions", command: "TopicCommand --create --topic two --partitions 0"},
	{name: "create a topic with a wrong value", command: "TopicCommand --create --topic two --config retention.ms=soon"},
	{name: "create a topic with an unknown config", command: "TopicCommand --create --topic two --config retention.mss=1"},
	{name: "create a topic with segments that are too small", command: "TopicCommand --create --topic two --config segment.bytes=1024"},
	{name: "create a topic by assignment", command: "TopicCommand --create --topic placed --replica-assignment 1,1", changes: true},
	{name: "create a topic on a broker that is not there", command: "TopicCommand --create --topic misplaced --replica-assignment 7"},
	{name: "add partitions by assignment", command: "TopicCommand --alter --topic placed --partitions 4 --replica-assignment 1,1,1,1", changes: true},
	{name: "add partitions by an assignment that is too short", command: "TopicCommand --alter --topic placed --partitions 6 --replica-assignment 1,1,1,1,1"},
	{name: "create the topic of the metadata log", command: "TopicCommand --create --topic __cluster_metadata"},
	{name: "describe the topic of the metadata log", command: "TopicCommand --describe --topic __cluster_metadata"},
	{name: "delete the topic of the metadata log", command: "TopicCommand --delete --topic __cluster_metadata"},
	{name: "create an internal topic", command: "TopicCommand --create --topic __share_group_state --partitions 1 --config segment.bytes=1048576", changes: true},
	{name: "add partitions to an internal topic", command: "TopicCommand --alter --topic __share_group_state --partitions 2", changes: true},
	{name: "describe an internal topic", command: "TopicCommand --describe --topic __share_group_state"},
	{name: "list topics", command: "TopicCommand --list"},
	{name: "list topics but internal ones", command: "TopicCommand --list --exclude-internal"},
	{name: "list topics by expression", command: "TopicCommand --list --topic e.*"},
	{name: "describe all topics", command: "TopicCommand --describe"},
	{name: "describe a topic", command: "TopicCommand --describe --topic events"},
	{name: "describe all topics page by page", command: "TopicCommand --describe --partition-size-limit-per-response 1"},
	{name: "describe a topic that is not there", command: "TopicCommand --describe --topic absent"},
	{name: "describe a topic if it is there", command: "TopicCommand --describe --topic absent --if-exists"},
	{name: "describe topics with overrides", command: "TopicCommand --describe --topics-with-overrides"},
	{name: "describe under-replicated partitions", command: "TopicCommand --describe --under-replicated-partitions"},
	{name: "describe unavailable partitions", command: "TopicCommand --describe --unavailable-partitions"},
	{name: "describe partitions below their minimum", command: "TopicCommand --describe --under-min-isr-partitions"},
	{name: "describe partitions at their minimum", command: "TopicCommand --describe --at-min-isr-partitions --topic events"},
	{name: "add partitions", command: "TopicCommand --alter --topic events --partitions 5", changes: true},
	{name: "take partitions away", command: "TopicCommand --alter --topic events --partitions 2"},
	{name: "add partitions to a topic that is not there", command: "TopicCommand --alter --topic absent --partitions 2"},
	{name: "add partitions if it is there", command: "TopicCommand --alter --topic absent --partitions 2 --if-exists"},
	{name: "describe the added partitions", command: "TopicCommand --describe --topic events"},
	{name: "delete a topic", command: "TopicCommand --delete --topic placed", changes: true},
	{name: "delete an internal topic", command: "TopicCommand --delete --topic __share_group_state", changes: true},
	{name: "delete a topic that is not there", command: "TopicCommand --delete --topic absent"},
	{name: "delete it if it is there", command: "TopicCommand --delete --topic absent --if-exists"},
	{name: "list topics after a deletion", command: "TopicCommand --list"},
}
