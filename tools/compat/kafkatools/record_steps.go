package kafkatools

const consumer = "consumer.ConsoleConsumer --topic console --partition 0 --formatter-property print.key=true --formatter-property print.offset=true --formatter-property print.partition=true --formatter-property print.headers=true --timeout-ms 5000 "

var recordSteps = []step{
	{name: "create a topic for the console", command: "TopicCommand --create --topic console --partitions 1", changes: true},
	{name: "produce lines with keys and headers", changes: true,
		command: "ConsoleProducer --topic console --reader-property parse.key=true --reader-property parse.headers=true --reader-property null.marker=NULL",
		stdin:   "a:1,b:2\talice\thello\nNULL\tbob\tNULL\nc:\tNULL\tStraße\nNULL\t\t\n"},
	{name: "produce compressed lines", command: "ConsoleProducer --topic console --compression-codec zstd", stdin: "five\nsix\n", changes: true},
	{name: "produce synchronously without idempotence", changes: true,
		command: "ConsoleProducer --topic console --sync --request-required-acks 1 --command-property enable.idempotence=false", stdin: "seven\n"},
	{name: "consume from the beginning", command: consumer + "--offset earliest --max-messages 7"},
	{name: "consume from an offset", command: consumer + "--offset 4 --max-messages 3"},
	{name: "consume until nothing comes", command: "consumer.ConsoleConsumer --topic console --partition 0 --offset 6 --timeout-ms 500"},
	{name: "consume only what is committed", command: consumer + "--offset earliest --max-messages 7 --isolation-level read_committed"},
	{name: "consume from a partition that is not there", command: "consumer.ConsoleConsumer --topic console --partition 3 --offset earliest --max-messages 1 --timeout-ms 500"},
	{name: "create a topic to measure", command: "TopicCommand --create --topic measured --partitions 3", changes: true},
	{name: "measure a producer with its defaults", command: "ProducerPerformance --topic measured --num-records 50000 --record-size 1000 --throughput -1", changes: true, normal: figures},
	{name: "create a topic to verify", command: "TopicCommand --create --topic verified --partitions 1", changes: true},
	{name: "verify a producer", command: "VerifiableProducer --topic verified --max-messages 1000", changes: true, alone: true, normal: figures},
	{name: "create a topic for a client", command: "TopicCommand --create --topic compatible --partitions 1", changes: true},
	{name: "test a client's compatibility", alone: true, changes: true,
		command: "ClientCompatibilityTest --topic compatible --offsets-for-times-supported true --cluster-id-supported true --expect-record-too-large-exception false --create-topics-supported true --describe-acls-supported HAS_ACLS --describe-configs-supported true --idempotent-producer-supported true --num-cluster-nodes 1"},
}
