package kafkatools

var groupConfigSteps = []step{
	{name: "set a group's configs", command: "ConfigCommand --alter --entity-type groups --entity-name live-consumer --add-config consumer.session.timeout.ms=50000,consumer.heartbeat.interval.ms=6000", key: incrementalAlterConfigs, changes: true},
	{name: "describe a group's configs", command: "ConfigCommand --describe --entity-type groups --entity-name live-consumer", key: incrementalAlterConfigs},
	{name: "describe all of a group's configs", command: "ConfigCommand --describe --all --group live-consumer", key: incrementalAlterConfigs},
	{name: "describe the configs of every group", command: "ConfigCommand --describe --entity-type groups", key: listConfigResources, unordered: true},
	{name: "describe the configs of a group that is not there", command: "ConfigCommand --describe --all --group absent"},
	{name: "set a group's config out of range", command: "ConfigCommand --alter --group live-consumer --add-config consumer.session.timeout.ms=1", key: incrementalAlterConfigs},
	{name: "set a group's config to a wrong value", command: "ConfigCommand --alter --group live-consumer --add-config consumer.session.timeout.ms=soon", key: incrementalAlterConfigs},
	{name: "set a group's config that there is not", command: "ConfigCommand --alter --group live-consumer --add-config consumer.session.timeout=1", key: incrementalAlterConfigs},
	{name: "delete a group's configs", command: "ConfigCommand --alter --group live-consumer --delete-config consumer.session.timeout.ms,consumer.heartbeat.interval.ms", key: incrementalAlterConfigs, changes: true},
	{name: "describe the configs of a group that has none", command: "ConfigCommand --describe --group live-consumer", key: incrementalAlterConfigs},
}
