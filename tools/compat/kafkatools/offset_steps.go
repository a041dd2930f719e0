package kafkatools

var offsetSteps = []step{
	{name: "get latest offsets", command: "GetOffsetShell --topic-partitions console:0,events,with.dots,verified"},
	{name: "get earliest offsets", command: "GetOffsetShell --topic console --time earliest"},
	{name: "get the offset of the latest time", command: "GetOffsetShell --topic console --time max-timestamp"},
	{name: "get the offset of the latest time of an empty topic", command: "GetOffsetShell --topic with.dots --time max-timestamp"},
	{name: "get earliest local offsets", command: "GetOffsetShell --topic console --time earliest-local"},
	{name: "get latest tiered offsets", command: "GetOffsetShell --topic console --time latest-tiered"},
	{name: "get offsets by a time that is long past", command: "GetOffsetShell --topic console --time 1"},
	{name: "get offsets by a time to come", command: "GetOffsetShell --topic console --time 9000000000000"},
	{name: "get offsets by a time that is none", command: "GetOffsetShell --topic console --time yesterday"},
	{name: "get offsets of a topic that is not there", command: "GetOffsetShell --topic absent"},
	{name: "delete records", command: "DeleteRecordsCommand --offset-json-file FILE", key: deleteRecords, changes: true,
		file: `{"version": 1, "partitions": [{"topic": "console", "partition": 0, "offset": 3}]}`},
	{name: "get earliest offsets after a deletion", command: "GetOffsetShell --topic console --time earliest", key: deleteRecords},
	{name: "consume what was not deleted", command: consumer + "--offset earliest --max-messages 4", key: deleteRecords},
	{name: "delete records beyond the end", command: "DeleteRecordsCommand --offset-json-file FILE", key: deleteRecords,
		file: `{"version": 1, "partitions": [{"topic": "console", "partition": 0, "offset": 300}]}`},
}
