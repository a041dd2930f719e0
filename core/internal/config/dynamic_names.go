package config

import "strings"

// oneBrokerNames are the broker configs that can be set while brokers run, for
// each broker by itself.
const oneBrokerNames = `
cordoned.log.dirs
principal.builder.class
sasl.enabled.mechanisms
sasl.jaas.config
sasl.kerberos.kinit.cmd
sasl.kerberos.min.time.before.relogin
sasl.kerberos.principal.to.local.rules
sasl.kerberos.service.name
sasl.kerberos.ticket.renew.jitter
sasl.kerberos.ticket.renew.window.factor
sasl.login.refresh.buffer.seconds
sasl.login.refresh.min.period.seconds
sasl.login.refresh.window.factor
sasl.login.refresh.window.jitter
sasl.mechanism.inter.broker.protocol
ssl.cipher.suites
ssl.client.auth
ssl.enabled.protocols
ssl.endpoint.identification.algorithm
ssl.engine.factory.class
ssl.key.password
ssl.keymanager.algorithm
ssl.keystore.certificate.chain
ssl.keystore.key
ssl.keystore.location
ssl.keystore.password
ssl.keystore.type
ssl.protocol
ssl.provider
ssl.secure.random.implementation
ssl.trustmanager.algorithm
ssl.truststore.certificates
ssl.truststore.location
ssl.truststore.password
ssl.truststore.type
`

// oneOrAllBrokersNames are those that can be set for all brokers too.
const oneOrAllBrokersNames = `
background.threads
compression.gzip.level
compression.lz4.level
compression.type
compression.zstd.level
config.providers
errors.deadletterqueue.auto.create.topics.enable
errors.deadletterqueue.topic.name.prefix
follower.fetch.last.tiered.offset.enable
follower.replication.throttled.rate
group.consumer.assignment.interval.ms
group.coordinator.cached.buffer.max.bytes
group.share.assignment.interval.ms
group.streams.assignment.interval.ms
leader.replication.throttled.rate
log.cleaner.backoff.ms
log.cleaner.dedupe.buffer.size
log.cleaner.delete.retention.ms
log.cleaner.io.buffer.load.factor
log.cleaner.io.buffer.size
log.cleaner.io.max.bytes.per.second
log.cleaner.max.compaction.lag.ms
log.cleaner.min.cleanable.ratio
log.cleaner.min.compaction.lag.ms
log.cleaner.threads
log.cleanup.policy
log.flush.interval.messages
log.flush.interval.ms
log.index.interval.bytes
log.index.size.max.bytes
log.local.retention.bytes
log.local.retention.ms
log.message.timestamp.after.max.ms
log.message.timestamp.before.max.ms
log.message.timestamp.type
log.preallocate
log.remote.copy.lag.bytes
log.remote.copy.lag.ms
log.retention.bytes
log.retention.ms
log.roll.jitter.ms
log.roll.ms
log.segment.bytes
log.segment.delete.delay.ms
max.connection.creation.rate
max.connections
max.connections.per.ip
max.connections.per.ip.overrides
max.decompressed.message.bytes
message.max.bytes
metric.reporters
min.insync.replicas
num.io.threads
num.network.threads
num.recovery.threads.per.data.dir
num.replica.fetchers
offsets.topic.lost
producer.id.expiration.ms
remote.fetch.max.wait.ms
remote.list.offsets.request.timeout.ms
remote.log.index.file.cache.total.size.bytes
remote.log.manager.copier.thread.pool.size
remote.log.manager.copy.max.bytes.per.second
remote.log.manager.expiration.thread.pool.size
remote.log.manager.fetch.max.bytes.per.second
remote.log.manager.follower.thread.pool.size
remote.log.reader.threads
replica.alter.log.dirs.io.max.bytes.per.second
share.coordinator.cached.buffer.max.bytes
transaction.partition.verification.enable
unclean.leader.election.enable
`

// hiddenNames are described only while they are set: nobody sets them for
// long, and in a file they mean nothing.
const hiddenNames = `
follower.replication.throttled.rate
leader.replication.throttled.rate
replica.alter.log.dirs.io.max.bytes.per.second
`

// listenerOnlyNames are secrets and files of secrets that can be set while
// brokers run only for one listener, with the prefix listener.name.NAME.
const listenerOnlyNames = `
ssl.key.password
ssl.keystore.certificate.chain
ssl.keystore.key
ssl.keystore.location
ssl.keystore.password
ssl.keystore.type
ssl.truststore.certificates
ssl.truststore.location
ssl.truststore.password
ssl.truststore.type
`

// marked notes on the broker's keys what the lists of this file say.
func marked(t table[Broker]) table[Broker] {
	mark := func(names string, note func(*Definition)) {
		for _, name := range strings.Fields(names) {
			k := t[name]
			note(&k.Definition)
			t[name] = k
		}
	}
	for name, k := range t {
		k.ReadOnly = true
		t[name] = k
	}
	mark(oneBrokerNames, func(d *Definition) { d.Dynamic, d.ReadOnly = OneBroker, false })
	mark(oneOrAllBrokersNames, func(d *Definition) { d.Dynamic, d.ReadOnly = OneOrAllBrokers, false })
	mark(hiddenNames, func(d *Definition) { d.Hidden = true })
	mark(listenerOnlyNames, func(d *Definition) { d.ListenerOnly = true })
	return t
}
