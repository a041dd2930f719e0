package config

import "math"

// Broker configs about sockets and connections.
func socketKeys() []key[Broker] {
	return []key[Broker]{
		inert("num.network.threads", integer(1, math.MaxInt32), "3",
			"Threads that read requests and write answers, for each listener."),
		inert("num.io.threads", integer(1, math.MaxInt32), "8",
			"Threads that execute requests."),
		inert("background.threads", integer(1, math.MaxInt32), "10",
			"Threads for tasks in the background."),
		define(Definition{
			Name: "queued.max.requests", Default: "500", HasDefault: true,
			Doc: "Requests that are executed, or wait to be, before no more are read; those that wait for data or for replicas do not count.",
		}, count(1, math.MaxInt32), func(b *Broker) *int { return &b.QueuedMaxRequests }),
		define(Definition{
			Name: "queued.max.request.bytes", Default: "-1", HasDefault: true,
			Doc: "Bytes of requests that have begun to arrive and are not executed before no more are read; -1 for any.",
		}, anyLong(), func(b *Broker) *int64 { return &b.QueuedMaxRequestBytes }),
		define(Definition{
			Name: "socket.send.buffer.bytes", Default: "102400", HasDefault: true,
			Doc: "The send buffer of a socket in bytes; -1 for the system's. Unless it is set the system chooses, which is faster.",
		}, count(math.MinInt32, math.MaxInt32), func(b *Broker) *int { return &b.SocketSendBufferBytes }),
		define(Definition{
			Name: "socket.receive.buffer.bytes", Default: "102400", HasDefault: true,
			Doc: "The receive buffer of a socket in bytes; -1 for the system's. Unless it is set the system chooses, which is faster.",
		}, count(math.MinInt32, math.MaxInt32), func(b *Broker) *int { return &b.SocketReceiveBufferBytes }),
		define(Definition{
			Name: "socket.listen.backlog.size", Default: "50", HasDefault: true,
			Doc: "Connections that may wait to be accepted, at each listener; the system may allow fewer. Unless it is set it is the system's limit.",
		}, count(1, math.MaxInt32), func(b *Broker) *int { return &b.SocketListenBacklogSize }),
		inert("socket.connection.setup.timeout.ms", anyLong(), "10000",
			"Milliseconds that the broker waits for a connection that it opens."),
		inert("socket.connection.setup.timeout.max.ms", anyLong(), "30000",
			"Longest wait in milliseconds for such a connection after failures in a row."),
		inert("connection.failed.authentication.delay.ms", integer(0, math.MaxInt32), "100",
			"Milliseconds for which a client that failed to log in is kept waiting."),
		inert("connections.max.reauth.ms", anyLong(), "0",
			"Milliseconds after which a client has to log in again; 0 for never."),
		inert("request.timeout.ms", anyInteger(), "30000",
			"Milliseconds that a request of this broker to another may take."),
		inert("early.start.listeners", anyList(), noDefault,
			"Listeners that open before the broker has started in full."),
		define(Definition{
			Name: "inter.broker.listener.name",
			Doc:  "The listener that brokers reach each other at; PLAINTEXT if not set. Where there are several, it is spared by max.connections.",
		}, text("the name of a listener"), func(b *Broker) *string { return &b.interBroker }),
		inert("security.inter.broker.protocol", oneOf("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"), "PLAINTEXT",
			"The security protocol that brokers speak among themselves."),
	}
}

// Broker configs about requests that wait and about fetch sessions.
func requestKeys() []key[Broker] {
	return []key[Broker]{
		inert("fetch.purgatory.purge.interval.requests", anyInteger(), "1000",
			"Waiting fetches after which those that are over are cleared away."),
		inert("producer.purgatory.purge.interval.requests", anyInteger(), "1000",
			"Waiting produce requests after which those that are over are cleared away."),
		inert("delete.records.purgatory.purge.interval.requests", anyInteger(), "1",
			"Waiting deletions of records after which those that are over are cleared away."),
		inert("share.fetch.purgatory.purge.interval.requests", anyInteger(), "1000",
			"Waiting share fetches after which those that are over are cleared away."),
		define(Definition{
			Name: "max.incremental.fetch.session.cache.slots", Default: "1000", HasDefault: true,
			Doc: "Fetch sessions that the broker remembers (KIP-227).",
		}, count(0, math.MaxInt32), func(b *Broker) *int { return &b.FetchSessions }),
		define(Definition{
			Name: "max.request.partition.size.limit", Default: "2000", HasDefault: true,
			Doc: "Most partitions that one answer describes, whatever the request says; the rest comes page by page.",
		}, count(1, math.MaxInt32), func(b *Broker) *int { return &b.MaxRequestPartitions }),
		inert("config.providers", anyList(), "",
			"Names of the providers that values in a configuration may come from."),
	}
}

// Broker configs about quotas, metrics and policies.
func quotaKeys() []key[Broker] {
	return []key[Broker]{
		inert("quota.window.num", integer(1, math.MaxInt32), "11",
			"Samples that client quotas are measured over."),
		inert("quota.window.size.seconds", integer(1, math.MaxInt32), "1",
			"Seconds that one sample of a client quota covers."),
		inert("replication.quota.window.num", integer(1, math.MaxInt32), "11",
			"Samples that the throttle of replication is measured over."),
		inert("replication.quota.window.size.seconds", integer(1, math.MaxInt32), "1",
			"Seconds that one sample of that throttle covers."),
		inert("alter.log.dirs.replication.quota.window.num", integer(1, math.MaxInt32), "11",
			"Samples that the throttle of moves between directories is measured over."),
		inert("alter.log.dirs.replication.quota.window.size.seconds", integer(1, math.MaxInt32), "1",
			"Seconds that one sample of that throttle covers."),
		inert("client.quota.callback.class", className(), noDefault,
			"Class that decides which quota a client has."),
		inert("metric.reporters", anyList(), "org.apache.kafka.common.metrics.JmxReporter",
			"Classes that metrics are reported to."),
		inert("metrics.num.samples", integer(1, math.MaxInt32), "2",
			"Samples that a metric is computed from."),
		inert("metrics.sample.window.ms", long(1, math.MaxInt64), "30000",
			"Milliseconds that one sample of a metric covers."),
		inert("metrics.recording.level", anyText(), "INFO",
			"The most detailed level of metrics that are recorded."),
		inert("kafka.metrics.reporters", anyList(), "",
			"Classes that the older kind of metrics is reported to."),
		inert("kafka.metrics.polling.interval.secs", integer(1, math.MaxInt32), "10",
			"Seconds between two reports of those."),
		inert("telemetry.max.bytes", integer(1, math.MaxInt32), "1048576",
			"Largest report of a client's own metrics in bytes (KIP-714)."),
		inert("create.topic.policy.class.name", className(), noDefault,
			"Class that may refuse new topics."),
		inert("alter.config.policy.class.name", className(), noDefault,
			"Class that may refuse changes of configs."),
	}
}
