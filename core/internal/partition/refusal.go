package partition

import (
	"errors"

	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/core/internal/refusal"
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/replication"
	"odradek.dev/sdk/storage"
)

// protocolErrors are the errors of modules that clients are told apart by.
var protocolErrors = []struct {
	err  error
	kind *kerr.Error
}{
	{replication.ErrNotLeader, kerr.NotLeaderForPartition},
	{replication.ErrSealed, kerr.NotLeaderForPartition},
	{replication.ErrNotEnoughReplicas, kerr.NotEnoughReplicas},
	{replication.ErrNotEnoughReplicasAfterAppend, kerr.NotEnoughReplicasAfterAppend},
	{storage.ErrOffsetOutOfRange, kerr.OffsetOutOfRange},
	{storage.ErrTooLarge, kerr.RecordListTooLarge},
	{storage.ErrCorrupt, kerr.CorruptMessage},
}

// refusalOf turns the error of a module into what a client is told.
func refusalOf(err error) *refusal.Refusal {
	var already *refusal.Refusal
	if errors.As(err, &already) {
		return already
	}
	for _, e := range protocolErrors {
		if errors.Is(err, e.err) {
			return refusal.New(e.kind, "%s", err.Error())
		}
	}
	if module.ClassOf(err) == module.Invalid {
		return refusal.New(kerr.InvalidRequest, "%s", err.Error())
	}
	return refusal.New(kerr.KafkaStorageError, "%s", err.Error())
}

var (
	errOffline   = refusal.New(kerr.KafkaStorageError, "the partition is offline")
	errNotLeader = refusal.New(kerr.NotLeaderForPartition, "this broker does not lead the partition")
	errGone      = refusal.New(kerr.UnknownTopicOrPartition, "the partition was removed")
)
