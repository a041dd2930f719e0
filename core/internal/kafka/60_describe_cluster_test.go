package kafka

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/config"
)

func clusterAt(t *testing.T, caller *Caller, change func(*kmsg.DescribeClusterRequest)) *kmsg.DescribeClusterResponse {
	t.Helper()
	b, _ := planned(t)
	req := kmsg.NewPtrDescribeClusterRequest()
	req.Version = caller.Version
	change(req)
	return overTheWire(t, caller.Version, describeCluster(t.Context(), b, caller, req), kmsg.NewPtrDescribeClusterResponse())
}

func TestDescribeClusterAtEveryVersion(t *testing.T) {
	for version := int16(0); version <= 2; version++ {
		for listener, host := range map[string]string{"PLAINTEXT": "outside", "INTERNAL": "inside"} {
			caller := &Caller{Version: version, Listener: config.Listener{Name: listener}}
			resp := clusterAt(t, caller, func(*kmsg.DescribeClusterRequest) {})
			require.Zero(t, resp.ErrorCode)
			require.Equal(t, "cluster", resp.ClusterID)
			require.EqualValues(t, 7, resp.ControllerID)
			require.Len(t, resp.Brokers, 1)
			require.Equal(t, host, resp.Brokers[0].Host)
			require.Equal(t, "r", *resp.Brokers[0].Rack)
			require.EqualValues(t, math.MinInt32, resp.ClusterAuthorizedOperations)
		}
	}
}

func TestDescribeClusterSaysWhatIsAllowed(t *testing.T) {
	resp := clusterAt(t, at(2), func(q *kmsg.DescribeClusterRequest) { q.IncludeClusterAuthorizedOperations = true })
	require.EqualValues(t, 8096, resp.ClusterAuthorizedOperations)
}

func TestDescribeClusterRefusesOtherEndpoints(t *testing.T) {
	for kind, want := range map[int8]*kerr.Error{2: kerr.MismatchedEndpointType, 3: kerr.UnsupportedEndpointType, 0: kerr.UnsupportedEndpointType} {
		resp := clusterAt(t, at(1), func(q *kmsg.DescribeClusterRequest) { q.EndpointType = kind })
		require.Equal(t, want.Code, resp.ErrorCode)
		require.NotEmpty(t, *resp.ErrorMessage)
		require.Empty(t, resp.Brokers)
	}
}
