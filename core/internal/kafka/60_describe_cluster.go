package kafka

import (
	"context"
	"math"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/metadata"
)

// The endpoint types of DescribeCluster (KIP-919).
const (
	brokerEndpoints     int8 = 1
	controllerEndpoints int8 = 2
)

// describeCluster serves DescribeCluster, versions 0 to 2. From version 1 the
// client says whether it asks a broker or a controller, from version 2 fenced
// brokers may be included (KIP-1073); there are none.
//
// The controller is this broker: whichever broker is asked takes changes.
func describeCluster(_ context.Context, b *Backend, c *Caller, req *kmsg.DescribeClusterRequest) *kmsg.DescribeClusterResponse {
	resp := kmsg.NewPtrDescribeClusterResponse()
	resp.EndpointType = req.EndpointType
	resp.ClusterAuthorizedOperations = math.MinInt32
	resp.ControllerID = -1
	if failure := checkEndpointType(req.EndpointType); failure != nil {
		resp.ErrorCode, resp.ErrorMessage = outcome(failure)
		return resp
	}
	image := b.Controller.Image()
	resp.ClusterID, resp.ControllerID = image.ClusterID(), b.Config.NodeID
	if req.IncludeClusterAuthorizedOperations {
		resp.ClusterAuthorizedOperations = clusterOperations
	}
	for _, broker := range image.Brokers() {
		endpoint, reachable := broker.Endpoint(c.Listener.Name)
		if !reachable {
			continue
		}
		d := kmsg.NewDescribeClusterResponseBroker()
		d.NodeID, d.Host, d.Port, d.Rack = broker.ID, endpoint.Host, endpoint.Port, rackOf(broker)
		resp.Brokers = append(resp.Brokers, d)
	}
	return resp
}

// checkEndpointType is for version 1 and later; version 0 decodes as brokers.
func checkEndpointType(kind int8) *metadata.Failure {
	switch kind {
	case brokerEndpoints:
		return nil
	case controllerEndpoints:
		return metadata.Failf(kerr.MismatchedEndpointType, "this listener is a broker's, and controllers were asked for: use --bootstrap-server, not --bootstrap-controller")
	default:
		return metadata.Failf(kerr.UnsupportedEndpointType, "endpoint type %d is unknown; 1 is for brokers and 2 for controllers", kind)
	}
}
