package kafkatools

const reset = "consumer.group.ConsumerGroupCommand --reset-offsets "

// resetSteps move the offsets of groups without members. Nothing else commits
// for group payments.
var resetSteps = []step{
	{name: "plan a reset of a group to the earliest", command: reset + "--group classic-readers --topic shared --to-earliest --dry-run", unordered: true},
	{name: "see that a planned reset of a group did nothing", command: describeGroup + "classic-readers", unordered: true},
	{name: "reset a group to the earliest", command: reset + "--group classic-readers --topic shared --to-earliest --execute", unordered: true, changes: true},
	{name: "see the reset of a group", command: describeGroup + "classic-readers", unordered: true},
	{name: "reset a group of the new protocol to the latest", command: reset + "--group consumer-readers --all-topics --to-latest --execute", unordered: true, changes: true},
	{name: "reset a group that is not there", command: reset + "--group payments --topic shared --to-latest --execute", unordered: true, changes: true},
	{name: "reset one partition of a group to an offset", command: reset + "--group payments --topic shared:1 --to-offset 1 --execute", unordered: true, changes: true},
	{name: "reset partitions of a group beyond the end", command: reset + "--group payments --topic shared:0,2 --to-offset 100 --execute", unordered: true, changes: true},
	{name: "reset a group by a shift back", command: reset + "--group payments --topic shared --shift-by -1 --execute", unordered: true, changes: true},
	{name: "reset a group by a shift too far", command: reset + "--group payments --topic shared --shift-by 50 --execute", unordered: true, changes: true},
	{name: "reset a group to a time that is long past", command: reset + "--group payments --topic shared --to-datetime 2001-01-01T00:00:00.000Z --execute", unordered: true, changes: true},
	{name: "reset a group to a time to come", command: reset + "--group payments --topic shared --to-datetime 2201-01-01T00:00:00.000Z --execute", unordered: true, changes: true},
	{name: "reset a group to a time that is none", command: reset + "--group payments --topic shared --to-datetime yesterday --execute"},
	{name: "reset a group by a duration", command: reset + "--group payments --topic shared --by-duration PT10H --execute", unordered: true, changes: true},
	{name: "reset a group to where it is", command: reset + "--group payments --all-topics --to-current --execute", unordered: true, changes: true},
	{name: "export a reset of a group", command: reset + "--group payments --topic shared --to-latest --export", unordered: true},
	{name: "export a reset of several groups", command: reset + "--group payments --group classic-readers --topic shared --to-latest --export", unordered: true},
	{name: "reset a group from a file", command: reset + "--group payments --from-file FILE --execute", unordered: true, changes: true, file: "shared,0,1\nshared,1,2\n"},
	{name: "reset several groups from a file", command: reset + "--group payments --group classic-readers --from-file FILE --execute", unordered: true, changes: true,
		file: "payments,shared,0,2\nclassic-readers,shared,1,1\n"},
	{name: "reset several groups", command: reset + "--group static-readers --group expression-readers --all-topics --to-earliest --execute", unordered: true, changes: true},
	{name: "plan a reset of all groups", command: reset + "--all-groups --topic shared --to-earliest --dry-run", unordered: true},
	{name: "reset a group for a topic that is not there", command: reset + "--group payments --topic absent --to-earliest --execute", unordered: true},
	{name: "reset a group for a partition that is not there", command: reset + "--group payments --topic shared:7 --to-earliest --execute", unordered: true},
	{name: "reset a group without saying to what", command: reset + "--group payments --topic shared --execute", normal: choices},
	{name: "describe the offsets of a group that was reset", command: describeGroup + "payments --offsets", unordered: true},
	{name: "describe the state of a group that was reset", command: describeGroup + "payments --state", unordered: true},
	{name: "delete the offsets of a group in one partition", command: "consumer.group.ConsumerGroupCommand --delete-offsets --group payments --topic shared:1", unordered: true, changes: true},
	{name: "delete the offsets of a group for a topic that is not there", command: "consumer.group.ConsumerGroupCommand --delete-offsets --group payments --topic absent", unordered: true},
	{name: "delete the offsets of a group for a topic", command: "consumer.group.ConsumerGroupCommand --delete-offsets --group consumer-verified --topic shared", unordered: true, changes: true},
	{name: "delete the offsets of a group that is not there", command: "consumer.group.ConsumerGroupCommand --delete-offsets --group absent --topic shared", unordered: true},
	{name: "describe a group after offsets were deleted", command: describeGroup + "payments", unordered: true},
	{name: "describe a group whose offsets were all deleted", command: describeGroup + "consumer-verified", unordered: true},
}

// groupEndSteps delete the groups.
var groupEndSteps = []step{
	{name: "delete a group", command: "consumer.group.ConsumerGroupCommand --delete --group payments", changes: true},
	{name: "delete a group that is not there", command: "consumer.group.ConsumerGroupCommand --delete --group absent"},
	{name: "delete groups of both protocols", command: "consumer.group.ConsumerGroupCommand --delete --group classic-readers --group consumer-readers --group absent", unordered: true, changes: true},
	{name: "list groups after deletions", command: "consumer.group.ConsumerGroupCommand --list --state --type", unordered: true},
	{name: "delete all groups that have no members", command: "consumer.group.ConsumerGroupCommand --delete --all-groups", unordered: true, changes: true},
	{name: "list groups that can not be deleted", command: "consumer.group.ConsumerGroupCommand --list --state --type", unordered: true},
	{name: "delete the topic of groups", command: "TopicCommand --delete --topic shared", changes: true},
}
