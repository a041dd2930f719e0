package kafka

import (
	"context"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// listPartitionReassignmentsAPI is ListPartitionReassignments (KIP-455).
// Replicas cannot move where there is one broker, so that none are under way,
// whichever partitions are asked for; as in Kafka, one that does not exist is
// no error.
func listPartitionReassignmentsAPI() *api {
	return decoded(api{key: 46, name: "ListPartitionReassignments", min: 0, max: 0, flexibleFrom: 0}, listPartitionReassignments,
		`timeout:int32 topics:[name:string partitions:[int32]]?`)
}

func listPartitionReassignments(context.Context, *Backend, *Caller, *kmsg.ListPartitionReassignmentsRequest) *kmsg.ListPartitionReassignmentsResponse {
	return kmsg.NewPtrListPartitionReassignmentsResponse()
}
