package kafkatools

// sharedTopic is what the groups consume; it has three partitions and ten
// records, of which keyed is the first nine.
const (
	sharedTopic = "shared"
	keyed       = "a:1\nb:2\nc:3\nd:4\ne:5\nf:6\ng:7\nh:8\ni:9\n"
)

// asGroup reads as a member of a group and commits when it closes.
const asGroup = "consumer.ConsoleConsumer --formatter-property print.key=true --formatter-property print.partition=true --formatter-property print.offset=true --from-beginning --timeout-ms 30000 "

// groupSteps are groups that consume and have no member afterwards.
var groupSteps = []step{
	{name: "list groups when there are none", command: "consumer.group.ConsumerGroupCommand --list"},
	{name: "create a topic for groups", command: "TopicCommand --create --topic shared --partitions 3", changes: true},
	{name: "produce for groups", command: "ConsoleProducer --topic shared --reader-property parse.key=true --reader-property key.separator=:", stdin: keyed, changes: true},
	{name: "consume in a classic group", changes: true, unordered: true,
		command: asGroup + "--topic shared --group classic-readers --max-messages 9 --command-property group.protocol=classic"},
	{name: "consume in a group of the new protocol", changes: true, unordered: true,
		command: asGroup + "--topic shared --group consumer-readers --max-messages 9 --command-property group.protocol=consumer"},
	{name: "produce one more for groups", command: "ConsoleProducer --topic shared --reader-property parse.key=true --reader-property key.separator=:", stdin: "j:10\n", changes: true},
	{name: "go on in the classic group", changes: true,
		command: asGroup + "--topic shared --group classic-readers --max-messages 1 --command-property group.protocol=classic"},
	{name: "go on in the group of the new protocol", changes: true,
		command: asGroup + "--topic shared --group consumer-readers --max-messages 1 --command-property group.protocol=consumer"},
	{name: "consume in a group by expression", changes: true, unordered: true,
		command: asGroup + "--include sha.* --group expression-readers --max-messages 10 --command-property group.protocol=consumer"},
	{name: "consume in a group with an assignor that there is not", changes: true,
		command: asGroup + "--topic shared --group consumer-readers --max-messages 1 --command-property group.protocol=consumer --command-property group.remote.assignor=absent"},
	{name: "join a classic group of static members", changes: true, unordered: true,
		command: asGroup + "--topic shared --group static-readers --max-messages 10 --command-property group.protocol=classic --command-property group.instance.id=one"},
	{name: "verify a consumer of a classic group", alone: true, changes: true, unordered: true, normal: verifiable,
		command: "VerifiableConsumer --topic shared --group-id classic-verified --max-messages 10 --verbose --group-protocol classic"},
	{name: "verify a consumer of a group of the new protocol", alone: true, changes: true, unordered: true, normal: verifiable,
		command: "VerifiableConsumer --topic shared --group-id consumer-verified --max-messages 10 --verbose --group-protocol consumer --group-remote-assignor range"},
	{name: "list groups", command: "consumer.group.ConsumerGroupCommand --list", unordered: true},
	{name: "list groups with their states", command: "consumer.group.ConsumerGroupCommand --list --state", unordered: true},
	{name: "list groups with their types", command: "consumer.group.ConsumerGroupCommand --list --type", unordered: true},
	{name: "list groups with their states and types", command: "consumer.group.ConsumerGroupCommand --list --state --type", unordered: true},
	{name: "list groups that are empty", command: "consumer.group.ConsumerGroupCommand --list --state empty,dead", unordered: true},
	{name: "list groups that are stable, of which there are none", command: "consumer.group.ConsumerGroupCommand --list --state Stable", unordered: true},
	{name: "list groups in a state that there is not", command: "consumer.group.ConsumerGroupCommand --list --state tired", normal: choices},
	{name: "list classic groups", command: "consumer.group.ConsumerGroupCommand --list --type classic", unordered: true},
	{name: "list groups of the new protocol", command: "consumer.group.ConsumerGroupCommand --list --type consumer", unordered: true},
	{name: "list groups of a type that there is not", command: "consumer.group.ConsumerGroupCommand --list --type kind"},
	{name: "list groups of all kinds", command: "GroupsCommand --list", unordered: true},
	{name: "list groups of all kinds by type", command: "GroupsCommand --list --group-type classic", unordered: true},
	{name: "list groups of all kinds by protocol", command: "GroupsCommand --list --protocol consumer", unordered: true},
	{name: "list groups of all kinds that consume", command: "GroupsCommand --list --consumer", unordered: true},
	{name: "list groups that share", command: "GroupsCommand --list --share", unordered: true},
	{name: "describe a classic group without members", command: "consumer.group.ConsumerGroupCommand --describe --group classic-readers", unordered: true},
	{name: "describe a group of the new protocol without members", command: "consumer.group.ConsumerGroupCommand --describe --group consumer-readers --offsets --verbose", unordered: true},
	{name: "describe what verified groups committed", command: "consumer.group.ConsumerGroupCommand --describe --group classic-verified --group consumer-verified", unordered: true},
	{name: "describe the members of a group without members", command: "consumer.group.ConsumerGroupCommand --describe --group classic-readers --members", unordered: true},
	{name: "describe the states of all groups without members", command: "consumer.group.ConsumerGroupCommand --describe --all-groups --state", unordered: true},
	{name: "describe a group that is not there", command: "consumer.group.ConsumerGroupCommand --describe --group absent"},
	{name: "describe the members of a group that is not there", command: "consumer.group.ConsumerGroupCommand --describe --group absent --members"},
	{name: "describe the state of a group that is not there", command: "consumer.group.ConsumerGroupCommand --describe --group absent --state"},
	{name: "validate an expression of groups", command: "consumer.group.ConsumerGroupCommand --validate-regex sha.*"},
	{name: "validate a wrong expression of groups", command: "consumer.group.ConsumerGroupCommand --validate-regex sha[.*"},
	{name: "get offsets of the topic of groups", command: "GetOffsetShell --topic shared"},
}
