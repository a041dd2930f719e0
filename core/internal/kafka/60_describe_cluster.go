package kafka

import (
	"context"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/refusal"
)

// describeClusterAPI is DescribeCluster. From version 1 the client says whether
// it asks a broker or a controller, from version 2 fenced brokers may be
// included (KIP-1073); there are none.
//
// The controller is this broker: whichever broker is asked takes changes. A
// refusal says of which kind the endpoint is that answers.
func describeClusterAPI() *api {
	return decoded(api{key: 60, name: "DescribeCluster", min: 0, max: 2, flexibleFrom: 0}, describeCluster,
		`operations:bool endpoint_type:int8@1+ fenced:bool@2+`)
}

// The endpoint types of DescribeCluster (KIP-919).
const (
	brokerEndpoints     int8 = 1
	controllerEndpoints int8 = 2
)

func describeCluster(_ context.Context, b *Backend, c *Caller, q *kmsg.DescribeClusterRequest) *kmsg.DescribeClusterResponse {
	response := kmsg.NewPtrDescribeClusterResponse()
	response.EndpointType = brokerEndpoints
	response.ClusterAuthorizedOperations = unaskedOperations
	response.ControllerID = -1
	if refused := checkEndpointType(q.EndpointType); refused != nil {
		response.ErrorCode, response.ErrorMessage = refused.Outcome()
		return response
	}
	image := b.Controller.Image()
	response.ClusterID, response.ControllerID = image.ClusterID(), b.Config.NodeID
	if q.IncludeClusterAuthorizedOperations {
		response.ClusterAuthorizedOperations = clusterOperations
	}
	for broker, at := range brokersAt(image, c.Listener.Name) {
		d := kmsg.NewDescribeClusterResponseBroker()
		d.NodeID, d.Host, d.Port, d.Rack = broker.ID, at.Host, at.Port, rackOf(broker)
		response.Brokers = append(response.Brokers, d)
	}
	return response
}

// checkEndpointType is for version 1 and later; version 0 decodes as brokers.
func checkEndpointType(kind int8) *refusal.Refusal {
	switch kind {
	case brokerEndpoints:
		return nil
	case controllerEndpoints:
		return refusal.New(kerr.MismatchedEndpointType, "this listener is a broker's, and controllers were asked for: use --bootstrap-server, not --bootstrap-controller")
	default:
		return refusal.New(kerr.UnsupportedEndpointType, "endpoint type %d is unknown; 1 is for brokers and 2 for controllers", kind)
	}
}
