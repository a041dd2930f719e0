package kafka

import (
	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/core/internal/refusal"
)

// Refusals of partitions that need no words of their own. They are made once,
// since a client may ask for one with every request.
var (
	unknownTopic     = refusal.New(kerr.UnknownTopicOrPartition, "there is no such topic")
	unknownTopicID   = refusal.New(kerr.UnknownTopicID, "there is no topic with this id")
	anotherTopicID   = refusal.New(kerr.InconsistentTopicID, "the topic was deleted, and created again with another id")
	unknownPartition = refusal.New(kerr.UnknownTopicOrPartition, "the topic has no such partition")
	notHere          = refusal.New(kerr.NotLeaderForPartition, "this broker has no replica of the partition")
	keptForOthers    = refusal.New(kerr.InvalidTopicException, "the records of an internal topic are not for clients to delete")
	invalidAcks      = refusal.New(kerr.InvalidRequiredAcks, "acks must be 0, 1 or -1")
	noReplica        = refusal.New(kerr.NotLeaderForPartition, "the broker that asks has no replica of the partition")
	noReplicaYet     = refusal.New(kerr.UnknownLeaderEpoch, "the broker that asks has no replica of the partition in this leader epoch")
	internalTopic    = refusal.New(kerr.InvalidTopicException, "an internal topic is not for clients to write to")
	corruptFrame     = refusal.New(kerr.CorruptMessage, "a record batch of the request has a size or a message format that does not exist")
	oldFormat        = refusal.New(kerr.InvalidRecord, "only message format 2 is supported")
	noTransactions   = refusal.New(kerr.InvalidTxnState, "transactions are not supported yet")
	noBatch          = refusal.New(kerr.InvalidRecord, "there is no record batch")
	severalBatches   = refusal.New(kerr.InvalidRecord, "a produce request has exactly one record batch a partition")
	noZstd           = refusal.New(kerr.UnsupportedCompressionType, "zstd needs produce version 7")
	timedOut         = refusal.New(kerr.RequestTimedOut, "the replicas did not answer in time")
	// unreadable is for a file that could not be opened or read: mostly the log
	// was trimmed a moment ago, and the client tries again.
	unreadable = refusal.New(kerr.KafkaStorageError, "the log could not be read")
)
