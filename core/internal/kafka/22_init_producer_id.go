package kafka

import (
	"context"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/sdk/module"
)

// initProducerIDAPI is InitProducerId, for idempotent producers: each call
// answers an id that nobody had, with epoch 0, also to a producer that says
// which id it has (KIP-360), as Kafka does.
//
// Transactions are not there yet. A client asks for its coordinator first, and
// stops at FindCoordinator; one that asks here all the same gets the same
// UNSUPPORTED_VERSION. Clients take every code that says "later" for a reason
// to go on trying, and this one for final.
func initProducerIDAPI() *api {
	return decoded(api{key: 22, name: "InitProducerId", min: 0, max: 5, flexibleFrom: 2}, initProducerID,
		`transactional_id:string? timeout:int32 producer_id:int64@3+ producer_epoch:int16@3+
		two_phase:bool@6+ keep_prepared:bool@6+`)
}

func initProducerID(ctx context.Context, b *Backend, _ *Caller, q *kmsg.InitProducerIDRequest) *kmsg.InitProducerIDResponse {
	response := kmsg.NewPtrInitProducerIDResponse()
	response.ProducerID, response.ProducerEpoch = -1, -1
	switch {
	case q.TransactionalID != nil && *q.TransactionalID == "":
		response.ErrorCode = kerr.InvalidRequest.Code
	case q.TransactionalID != nil:
		response.ErrorCode = kerr.UnsupportedVersion.Code
	case (q.ProducerID == -1) != (q.ProducerEpoch == -1):
		response.ErrorCode = kerr.InvalidRequest.Code
	default:
		allocateProducerID(ctx, b, response)
	}
	return response
}

func allocateProducerID(ctx context.Context, b *Backend, response *kmsg.InitProducerIDResponse) {
	id, err := b.Controller.AllocateProducerID(ctx)
	switch {
	case err == nil:
		response.ProducerID, response.ProducerEpoch = id, 0
	case module.ClassOf(err) == module.Retriable:
		response.ErrorCode = kerr.CoordinatorLoadInProgress.Code
	default:
		b.failed("no producer id could be allocated", "error", err)
		response.ErrorCode = kerr.UnknownServerError.Code
	}
}
