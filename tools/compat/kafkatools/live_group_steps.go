package kafkatools

const describeGroup = "consumer.group.ConsumerGroupCommand --describe --group "

// liveGroupSteps are groups with members, which stay.
var liveGroupSteps = []step{
	{name: "members join a classic group", join: []member{{group: "live-classic", client: "one", instance: "a"}, {group: "live-classic", client: "two", instance: "b"}}},
	{name: "members join a group of the new protocol", join: []member{{group: "live-consumer", client: "one", instance: "a", consumer: true}, {group: "live-consumer", client: "two", instance: "b", consumer: true}}},
	{name: "one member joins a classic group", join: []member{{group: "single-classic", client: "alone"}}},
	{name: "one member joins a group of the new protocol", join: []member{{group: "single-consumer", client: "alone", consumer: true}}},
	{name: "list live groups with their states and types", command: "consumer.group.ConsumerGroupCommand --list --state --type", unordered: true},
	{name: "list groups that are stable", command: "consumer.group.ConsumerGroupCommand --list --state stable", unordered: true},
	{name: "list live groups of all kinds", command: "GroupsCommand --list", unordered: true},
	{name: "describe a live classic group", command: describeGroup + "live-classic", unordered: true, normal: memberIDs},
	{name: "describe the members of a live classic group", command: describeGroup + "live-classic --members", unordered: true, normal: memberIDs},
	{name: "describe more of the members of a live classic group", command: describeGroup + "live-classic --members --verbose", unordered: true, normal: memberIDs},
	{name: "describe the state of a live classic group", command: describeGroup + "live-classic --state", unordered: true},
	{name: "describe more of the state of a live classic group", command: describeGroup + "live-classic --state --verbose", unordered: true},
	{name: "describe a live group of the new protocol", command: describeGroup + "live-consumer", unordered: true, normal: memberIDs},
	{name: "describe more of a live group of the new protocol", command: describeGroup + "live-consumer --offsets --verbose", unordered: true, normal: memberIDs},
	{name: "describe the members of a live group of the new protocol", command: describeGroup + "live-consumer --members", unordered: true, normal: memberIDs},
	{name: "describe more of the members of a live group of the new protocol", command: describeGroup + "live-consumer --members --verbose", unordered: true, normal: memberIDs},
	{name: "describe the state of a live group of the new protocol", command: describeGroup + "live-consumer --state", unordered: true},
	{name: "describe more of the state of a live group of the new protocol", command: describeGroup + "live-consumer --state --verbose", unordered: true},
	{name: "describe the only member of each group", command: describeGroup + "single-classic --group single-consumer --members --verbose", unordered: true, normal: memberIDs},
	{name: "describe the members of all groups", command: "consumer.group.ConsumerGroupCommand --describe --all-groups --members", unordered: true, normal: memberIDs},
	{name: "reset the offsets of a live classic group", command: "consumer.group.ConsumerGroupCommand --reset-offsets --group live-classic --topic shared --to-earliest --execute"},
	{name: "reset the offsets of a live group of the new protocol", command: "consumer.group.ConsumerGroupCommand --reset-offsets --group live-consumer --topic shared --to-earliest --execute"},
	{name: "delete the offsets of a live classic group", command: "consumer.group.ConsumerGroupCommand --delete-offsets --group live-classic --topic shared"},
	{name: "delete the offsets of a live group of the new protocol", command: "consumer.group.ConsumerGroupCommand --delete-offsets --group live-consumer --topic shared"},
	{name: "delete live groups", command: "consumer.group.ConsumerGroupCommand --delete --group live-classic --group live-consumer", unordered: true},
}
