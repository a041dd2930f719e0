package kafka

import (
	"context"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/sdk/module"
)

// initProducerID serves InitProducerId, versions 0 to 5, for idempotent
// producers: each call answers an id that nobody had, with epoch 0, also to a
// producer that says which id it has (KIP-360), as Kafka does.
//
// Transactions are not there yet. A client asks for its coordinator first, and
// stops at FindCoordinator; one that asks here all the same gets the same
// UNSUPPORTED_VERSION. Clients take every code that says "later" for a reason
// to go on trying, and this one for final.
func initProducerID(ctx context.Context, b *Backend, _ *Caller, req *kmsg.InitProducerIDRequest) *kmsg.InitProducerIDResponse {
	resp := kmsg.NewPtrInitProducerIDResponse()
	resp.ProducerID, resp.ProducerEpoch = -1, -1
	switch {
	case req.TransactionalID != nil && *req.TransactionalID == "":
		resp.ErrorCode = kerr.InvalidRequest.Code
	case req.TransactionalID != nil:
		resp.ErrorCode = kerr.UnsupportedVersion.Code
	case (req.ProducerID < 0) != (req.ProducerEpoch < 0):
		resp.ErrorCode = kerr.InvalidRequest.Code
	default:
		allocateProducerID(ctx, b, resp)
	}
	return resp
}

func allocateProducerID(ctx context.Context, b *Backend, resp *kmsg.InitProducerIDResponse) {
	id, err := b.Controller.AllocateProducerID(ctx)
	switch {
	case err == nil:
		resp.ProducerID, resp.ProducerEpoch = id, 0
	case module.ClassOf(err) == module.Retriable:
		resp.ErrorCode = kerr.CoordinatorLoadInProgress.Code
	default:
		b.Log.Error("no producer id could be allocated", "error", err)
		resp.ErrorCode = kerr.UnknownServerError.Code
	}
}
