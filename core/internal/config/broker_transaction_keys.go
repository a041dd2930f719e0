package config

import "math"

// Broker configs about transactions.
func transactionKeys() []key[Broker] {
	return []key[Broker]{
		inert("transaction.max.timeout.ms", integer(1, math.MaxInt32), "900000",
			"Longest timeout in milliseconds that a transaction may ask for."),
		inert("transactional.id.expiration.ms", integer(1, math.MaxInt32), "604800000",
			"Milliseconds after which an idle transactional id is forgotten."),
		inert("transaction.abort.timed.out.transaction.cleanup.interval.ms", integer(1, math.MaxInt32), "10000",
			"Milliseconds between two looks for transactions that took too long."),
		inert("transaction.remove.expired.transaction.cleanup.interval.ms", integer(1, math.MaxInt32), "3600000",
			"Milliseconds between two looks for transactional ids to forget."),
		inert("transaction.partition.verification.enable", boolean(), "true",
			"Whether a leader asks the coordinator before it takes a transactional write (KIP-890)."),
		inert("transaction.two.phase.commit.enable", boolean(), "false",
			"Whether transactions may leave the decision to a coordinator outside (KIP-939)."),
		inert("add.partitions.to.txn.retry.backoff.ms", integer(1, math.MaxInt32), "20",
			"Pause in milliseconds before a partition is offered to a transaction again."),
		inert("add.partitions.to.txn.retry.backoff.max.ms", integer(0, math.MaxInt32), "100",
			"Milliseconds after which that is no longer tried."),
		inert("transaction.state.log.load.buffer.size", integer(1, math.MaxInt32), "5242880",
			"Bytes read at a time when the state of transactions is loaded."),
		inert("transaction.state.log.min.isr", integer(1, math.MaxInt32), "2",
			"Replicas of the topic of transactions that have to be in sync."),
		inert("transaction.state.log.num.partitions", integer(1, math.MaxInt32), "50",
			"Partitions of the topic of transactions."),
		inert("transaction.state.log.replication.factor", short(1, math.MaxInt16), "3",
			"Replicas of the topic of transactions."),
		inert("transaction.state.log.segment.bytes", integer(1, math.MaxInt32), "104857600",
			"Size in bytes of a segment of the topic of transactions."),
	}
}
