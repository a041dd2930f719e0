package kafkatools

const (
	readOffsets = "consumer.ConsoleConsumer --topic __consumer_offsets --formatter org.apache.kafka.tools.consumer.OffsetsMessageFormatter --offset earliest --timeout-ms 2000 --partition "
	readGroups  = "consumer.ConsoleConsumer --topic __consumer_offsets --formatter org.apache.kafka.tools.consumer.GroupMetadataMessageFormatter --offset earliest --timeout-ms 2000 --partition "
	dumpOffsets = "DumpLogSegments --offsets-decoder --files LOGDIR/__consumer_offsets-"
)

// groupRecordSteps read what is kept of groups, each from the partition that it
// hashes to.
var groupRecordSteps = []step{
	{name: "read the records of a group's offsets", command: readOffsets + "13", says: `"group":"payments"`, normal: groupRecords},
	{name: "read the records of a classic group's offsets", command: readOffsets + "25", says: `"group":"classic-readers"`, normal: groupRecords, unordered: true},
	{name: "read the records of a classic group", command: readGroups + "25", says: `"group":"classic-readers"`, normal: groupRecords},
	{name: "read the records of the offsets of a group of the new protocol", command: readOffsets + "49", says: `"group":"consumer-readers"`, normal: groupRecords, unordered: true},
	// Its own records have other keys, which this formatter passes over: what it shows of that partition is a classic group.
	{name: "read the records beside a group of the new protocol", command: readGroups + "49", says: `"group":"single-classic"`, normal: groupRecords},
	{name: "dump the records of a group of the new protocol", command: dumpOffsets + "17/00000000000000000000.log", says: `"clientId":"alone"`, normal: dumpedRecords, compacted: true, unordered: true},
	// With each assignment at once, both brokers count the same epochs. Neither member takes a partition from the other, which would be a race.
	{name: "have a group assign at once", key: incrementalAlterConfigs, changes: true,
		command: "ConfigCommand --alter --group migrating --add-config consumer.assignment.interval.ms=0,consumer.assignor.offload.enable=false"},
	{name: "members of both protocols join a group", join: []member{
		{group: "migrating", client: "one", instance: "a", consumer: true, expression: "conso.e"}, {group: "migrating", client: "two", instance: "b"}}},
	{name: "dump the records of a group of both protocols", command: dumpOffsets + "48/00000000000000000000.log", says: `"supportedProtocols"`, normal: dumpedRecords, compacted: true, unordered: true},
	{name: "write into the topic of groups", command: "ConsoleProducer --topic __consumer_offsets --sync", stdin: "intruder\n"},
}
