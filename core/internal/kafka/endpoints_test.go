package kafka

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/metadata"
	"odradek.dev/sdk/replication"
)

// Who writes or reads where a partition led once is told who leads it now, and
// where that broker is (KIP-951).
func TestAMovedPartitionNamesItsLeader(t *testing.T) {
	b := newTestBroker(t)
	p := b.backend.Controller.(*planner)
	p.Apply(metadata.RegisterBroker(p.Image(), metadata.Broker{ID: 2, Epoch: 1, Rack: "r", Listeners: []metadata.Endpoint{
		{Listener: "PLAINTEXT", Host: "elsewhere", Port: 9093},
	}})...)
	id := b.create(t, "orders", 1, nil)
	p.SetPartition(id, 0, replication.Record{Version: 2, Leader: 2, LeaderEpoch: 7, Replicas: []int32{1, 2}, InSync: []int32{2}, MinInSync: 1})
	client := b.dial(t)
	for version := int16(3); version <= 13; version++ {
		r := client.ask(produceOf(version, "orders", id, -1, batchOf("a"))).(*kmsg.ProduceResponse)
		got := producedOf(t, r)
		require.Equal(t, kerr.NotLeaderForPartition.Code, got.ErrorCode, "version %d", version)
		if version < 10 {
			continue
		}
		require.EqualValues(t, 2, got.CurrentLeader.LeaderID)
		require.EqualValues(t, 7, got.CurrentLeader.LeaderEpoch)
		require.Len(t, r.Brokers, 1)
		at := r.Brokers[0]
		require.Equal(t, []any{int32(2), "elsewhere", int32(9093), "r"}, []any{at.NodeID, at.Host, at.Port, *at.Rack})
	}
	for version := int16(4); version <= 18; version++ {
		r := client.ask(fetchOf(version, "orders", id, 0)).(*kmsg.FetchResponse)
		got := fetchedOf(t, r)
		require.Equal(t, kerr.NotLeaderForPartition.Code, got.ErrorCode, "version %d", version)
		if version < 16 {
			continue
		}
		require.EqualValues(t, 2, got.CurrentLeader.LeaderID)
		require.EqualValues(t, 7, got.CurrentLeader.LeaderEpoch)
		require.Len(t, r.Brokers, 1)
		at := r.Brokers[0]
		require.Equal(t, []any{int32(2), "elsewhere", int32(9093), "r"}, []any{at.NodeID, at.Host, at.Port, *at.Rack})
	}
}
