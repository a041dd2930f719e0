package kafka

import (
	"context"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/refusal"
)

// unregisterBrokerAPI is UnregisterBroker (KIP-631), which is for brokers that
// are gone for good. The only broker of a cluster is none of these: Kafka
// grants it, and then clients find no broker any more; here it is refused.
func unregisterBrokerAPI() *api {
	return decoded(api{key: 64, name: "UnregisterBroker", min: 0, max: 0, flexibleFrom: 0}, unregisterBroker,
		`broker:int32`)
}

func unregisterBroker(_ context.Context, b *Backend, _ *Caller, q *kmsg.UnregisterBrokerRequest) *kmsg.UnregisterBrokerResponse {
	response := kmsg.NewPtrUnregisterBrokerResponse()
	refused := refusal.New(kerr.InvalidRequest, "broker %d is running and cannot be unregistered", q.BrokerID)
	if _, registered := b.Controller.Image().Broker(q.BrokerID); !registered {
		refused = refusal.New(kerr.BrokerIDNotRegistered, "broker %d is not registered", q.BrokerID)
	}
	response.ErrorCode, response.ErrorMessage = refused.Outcome()
	return response
}
