package kafka

import (
	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/core/internal/metadata"
	"odradek.dev/core/internal/partition"
)

// Refusals of partitions that need no words of their own. They are made once,
// since a client may ask for one with every request.
var (
	unknownTopic     = refusal(kerr.UnknownTopicOrPartition, "there is no such topic")
	unknownTopicID   = refusal(kerr.UnknownTopicID, "there is no topic with this id")
	anotherTopicID   = refusal(kerr.InconsistentTopicID, "the topic was deleted, and created again with another id")
	unknownPartition = refusal(kerr.UnknownTopicOrPartition, "the topic has no such partition")
	notHere          = refusal(kerr.NotLeaderForPartition, "this broker has no replica of the partition")
	keptForOthers    = refusal(kerr.InvalidTopicException, "the records of an internal topic are not for clients to delete")
	invalidAcks      = refusal(kerr.InvalidRequiredAcks, "acks must be 0, 1 or -1")
	noTransactions   = refusal(kerr.InvalidTxnState, "transactions are not supported yet")
	noBatch          = refusal(kerr.InvalidRecord, "there is no record batch")
	severalBatches   = refusal(kerr.InvalidRecord, "a produce request has exactly one record batch a partition")
	noZstd           = refusal(kerr.UnsupportedCompressionType, "zstd needs produce version 7")
	timedOut         = refusal(kerr.RequestTimedOut, "the replicas did not answer in time")
	// unreadable is for a file that could not be opened or read: mostly the log
	// was trimmed a moment ago, and the client tries again.
	unreadable = refusal(kerr.KafkaStorageError, "the log could not be read")
)

func refusal(kind *kerr.Error, message string) *partition.Refusal {
	return &partition.Refusal{Kind: kind, Message: message, Record: -1}
}

// codeOf is 0 where nothing was refused.
func codeOf(r *partition.Refusal) int16 {
	if r == nil {
		return 0
	}
	return r.Kind.Code
}

// outcome is the code and the message of a result; the message is null when
// there was no failure.
func outcome(f *metadata.Failure) (code int16, message *string) {
	if f == nil {
		return 0, nil
	}
	return f.Code, &f.Message
}
