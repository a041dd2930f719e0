package partition

import (
	"errors"
	"fmt"

	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/sdk/module"
	"odradek.dev/sdk/replication"
	"odradek.dev/sdk/storage"
)

// Refusal is an answer of no: the protocol's error, and words that name what
// is wrong.
type Refusal struct {
	Kind    *kerr.Error
	Message string
	// Record is the index in its batch of the record that is wrong, -1 if it
	// is the batch.
	Record int32
}

func (r *Refusal) Error() string { return r.Kind.Message + ": " + r.Message }

func refuse(kind *kerr.Error, format string, args ...any) *Refusal {
	return &Refusal{Kind: kind, Message: fmt.Sprintf(format, args...), Record: -1}
}

func refuseRecord(kind *kerr.Error, record int32, format string, args ...any) *Refusal {
	return &Refusal{Kind: kind, Message: fmt.Sprintf(format, args...), Record: record}
}

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
}

// refusalOf turns the error of a module into what a client is told.
func refusalOf(err error) *Refusal {
	var already *Refusal
	if errors.As(err, &already) {
		return already
	}
	for _, e := range protocolErrors {
		if errors.Is(err, e.err) {
			return refuse(e.kind, "%s", err.Error())
		}
	}
	if module.ClassOf(err) == module.Invalid {
		return refuse(kerr.InvalidRequest, "%s", err.Error())
	}
	return refuse(kerr.KafkaStorageError, "%s", err.Error())
}

var (
	errOffline   = &Refusal{Kind: kerr.KafkaStorageError, Message: "the partition is offline", Record: -1}
	errNotLeader = &Refusal{Kind: kerr.NotLeaderForPartition, Message: "this broker does not lead the partition", Record: -1}
	errGone      = &Refusal{Kind: kerr.UnknownTopicOrPartition, Message: "the partition was removed", Record: -1}
)
