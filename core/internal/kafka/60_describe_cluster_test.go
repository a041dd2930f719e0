package kafka

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/config"
)

func clusterAt(t *testing.T, version int16, caller *Caller, change func(*kmsg.DescribeClusterRequest)) *kmsg.DescribeClusterResponse {
	t.Helper()
	b, _ := planned(t)
	req := kmsg.NewPtrDescribeClusterRequest()
	req.Version = version
	change(req)
	return overTheWire(t, version, describeCluster(t.Context(), b, caller, req), kmsg.NewPtrDescribeClusterResponse())
}

func TestDescribeClusterAtEveryVersion(t *testing.T) {
	for version := int16(0); version <= 2; version++ {
		for listener, host := range map[string]string{"PLAINTEXT": "outside", "INTERNAL": "inside"} {
			caller := &Caller{Listener: config.Listener{Name: listener}}
			resp := clusterAt(t, version, caller, func(*kmsg.DescribeClusterRequest) {})
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
	resp := clusterAt(t, 2, plaintext(), func(q *kmsg.DescribeClusterRequest) { q.IncludeClusterAuthorizedOperations = true })
	require.EqualValues(t, 8096, resp.ClusterAuthorizedOperations)
}

func TestDescribeClusterRefusesOtherEndpoints(t *testing.T) {
	for kind, want := range map[int8]*kerr.Error{2: kerr.MismatchedEndpointType, 3: kerr.UnsupportedEndpointType, 0: kerr.UnsupportedEndpointType} {
		resp := clusterAt(t, 1, plaintext(), func(q *kmsg.DescribeClusterRequest) { q.EndpointType = kind })
		require.Equal(t, want.Code, resp.ErrorCode)
		require.NotEmpty(t, *resp.ErrorMessage)
		require.Empty(t, resp.Brokers)
	}
}
