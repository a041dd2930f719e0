package kafka

import (
	"context"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// listPartitionReassignments serves ListPartitionReassignments, version 0
// (KIP-455). Replicas cannot move where there is one broker, so that none are
// under way, whichever partitions are asked for; as in Kafka, one that does not
// exist is no error.
func listPartitionReassignments(context.Context, *Backend, *Caller, *kmsg.ListPartitionReassignmentsRequest) *kmsg.ListPartitionReassignmentsResponse {
	return kmsg.NewPtrListPartitionReassignmentsResponse()
}
