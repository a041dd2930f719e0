package kafka

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/sdk/replication"
)

func electOver(t *testing.T, b *Backend, version int16, kind int8, topics []kmsg.ElectLeadersRequestTopic) *kmsg.ElectLeadersResponse {
	t.Helper()
	q := kmsg.NewPtrElectLeadersRequest()
	q.SetVersion(version)
	q.ElectionType, q.Topics = kind, topics
	return overTheWire(t, version, electLeaders(t.Context(), b, plaintext(), q), kmsg.NewPtrElectLeadersResponse())
}

func TestElectLeadersAtEveryVersion(t *testing.T) {
	b, p := planned(t)
	p.create(t, "a", "b")
	asked := []kmsg.ElectLeadersRequestTopic{{Topic: "a", Partitions: []int32{0, 99, -1}}, {Topic: "missing", Partitions: []int32{0}}, {Topic: "b"}}
	for version := int16(0); version <= 2; version++ {
		for _, kind := range []int8{preferredElection, uncleanElection} {
			resp := electOver(t, b, version, kind, asked)
			require.Zero(t, resp.ErrorCode)
			require.Len(t, resp.Topics, 3)
			a := resp.Topics[0].Partitions
			require.Equal(t, kerr.ElectionNotNeeded.Code, a[0].ErrorCode)
			require.Equal(t, kerr.UnknownTopicOrPartition.Code, a[1].ErrorCode)
			require.Equal(t, kerr.UnknownTopicOrPartition.Code, a[2].ErrorCode)
			require.NotEmpty(t, *a[1].ErrorMessage)
			require.Equal(t, kerr.UnknownTopicOrPartition.Code, resp.Topics[1].Partitions[0].ErrorCode)
			require.Empty(t, resp.Topics[2].Partitions)

			resp = electOver(t, b, version, kind, nil)
			require.Len(t, resp.Topics, 2, "all topics")
			require.Empty(t, resp.Topics[0].Partitions, "and none of their partitions needs an election")
			require.Empty(t, electOver(t, b, version, kind, []kmsg.ElectLeadersRequestTopic{}).Topics)
		}
	}
}

func TestElectLeadersOfAnUnknownType(t *testing.T) {
	b, p := planned(t)
	p.create(t, "a")
	asked := []kmsg.ElectLeadersRequestTopic{{Topic: "a", Partitions: []int32{0}}}
	require.Equal(t, kerr.ElectionNotNeeded.Code, electOver(t, b, 0, 2, asked).Topics[0].Partitions[0].ErrorCode, "version 0 has no type")
	for version := int16(1); version <= 2; version++ {
		resp := electOver(t, b, version, 2, asked)
		require.Equal(t, kerr.InvalidRequest.Code, resp.ErrorCode)
		require.Equal(t, kerr.InvalidRequest.Code, resp.Topics[0].Partitions[0].ErrorCode)
		require.Empty(t, electOver(t, b, version, 2, nil).Topics)
	}
}

// A partition that does need an election is told apart, also when all are asked
// for.
func TestElectLeadersWhereNobodyCanLead(t *testing.T) {
	b, p := planned(t)
	p.create(t, "a")
	topic, _ := p.Image().Topic("a")
	p.SetPartition(topic.ID, 1, replication.Record{Version: 2, Leader: -1, LeaderEpoch: 1, Replicas: []int32{7}, InSync: []int32{7}, MinInSync: 1})
	for kind, want := range map[int8]*kerr.Error{preferredElection: kerr.PreferredLeaderNotAvailable, uncleanElection: kerr.EligibleLeadersNotAvailable} {
		resp := electOver(t, b, 2, kind, nil)
		require.Len(t, resp.Topics[0].Partitions, 1)
		require.EqualValues(t, 1, resp.Topics[0].Partitions[0].Partition)
		require.Equal(t, want.Code, resp.Topics[0].Partitions[0].ErrorCode)
	}
}

func TestNoPartitionReassignments(t *testing.T) {
	b, p := planned(t)
	p.create(t, "a")
	for _, topics := range [][]kmsg.ListPartitionReassignmentsRequestTopic{nil, {}, {{Topic: "a", Partitions: []int32{0, 99}}, {Topic: "missing", Partitions: []int32{0}}}} {
		q := kmsg.NewPtrListPartitionReassignmentsRequest()
		q.Topics = topics
		resp := overTheWire(t, 0, listPartitionReassignments(t.Context(), b, plaintext(), q), kmsg.NewPtrListPartitionReassignmentsResponse())
		require.Zero(t, resp.ErrorCode)
		require.Nil(t, resp.ErrorMessage)
		require.Empty(t, resp.Topics)
	}
}
