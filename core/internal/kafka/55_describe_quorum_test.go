package kafka

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/metadata"
	"odradek.dev/sdk/clock"
	"odradek.dev/sdk/election"
)

func quorumOver(t *testing.T, b *Backend, version int16, topic string, partitions ...int32) *kmsg.DescribeQuorumResponse {
	t.Helper()
	q := kmsg.NewPtrDescribeQuorumRequest()
	q.SetVersion(version)
	asked := kmsg.DescribeQuorumRequestTopic{Topic: topic}
	for _, n := range partitions {
		asked.Partitions = append(asked.Partitions, kmsg.DescribeQuorumRequestTopicPartition{Partition: n})
	}
	q.Topics = append(q.Topics, asked)
	return overTheWire(t, version, describeQuorum(t.Context(), b, plaintext(), q), kmsg.NewPtrDescribeQuorumResponse())
}

func TestDescribeQuorumAtEveryVersion(t *testing.T) {
	b, p := planned(t)
	now := time.UnixMilli(1_700_000_000_000)
	b.Clock = clock.NewFake(now)
	p.Status = election.Status{Leadership: election.Leadership{Leader: 7, Epoch: 3}, Voters: []int32{7, 8}, First: 1, Committed: 42}
	for version := int16(0); version <= 2; version++ {
		resp := quorumOver(t, b, version, metadata.LogTopic, 0)
		require.Zero(t, resp.ErrorCode)
		require.Len(t, resp.Topics, 1)
		quorum := resp.Topics[0].Partitions[0]
		require.Zero(t, quorum.ErrorCode)
		require.EqualValues(t, 7, quorum.LeaderID)
		require.EqualValues(t, 3, quorum.LeaderEpoch)
		require.EqualValues(t, 42, quorum.HighWatermark)
		require.Empty(t, quorum.Observers)
		require.Len(t, quorum.CurrentVoters, 2)
		leader, other := quorum.CurrentVoters[0], quorum.CurrentVoters[1]
		require.EqualValues(t, 42, leader.LogEndOffset)
		require.EqualValues(t, -1, other.LogEndOffset)
		require.EqualValues(t, -1, other.LastFetchTimestamp)
		if version >= 1 {
			require.Equal(t, now.UnixMilli(), leader.LastCaughtUpTimestamp)
		}
		if version < 2 {
			require.Empty(t, resp.Nodes)
			continue
		}
		require.Len(t, resp.Nodes, 1, "the other is not registered")
		require.Equal(t, kmsg.DescribeQuorumResponseNodeListener{Name: "INTERNAL", Host: "inside", Port: 9093}, resp.Nodes[0].Listeners[1])
	}
}

func TestDescribeQuorumOfAnythingElse(t *testing.T) {
	b, _ := planned(t)
	for _, asked := range []struct {
		topic      string
		partitions []int32
	}{{"orders", []int32{0}}, {metadata.LogTopic, []int32{1}}, {metadata.LogTopic, []int32{0, 1}}} {
		resp := quorumOver(t, b, 2, asked.topic, asked.partitions...)
		require.Zero(t, resp.ErrorCode)
		require.Len(t, resp.Topics[0].Partitions, len(asked.partitions))
		for _, p := range resp.Topics[0].Partitions {
			require.Equal(t, kerr.UnknownTopicOrPartition.Code, p.ErrorCode)
			require.NotEmpty(t, *p.ErrorMessage)
		}
		require.Empty(t, resp.Nodes)
	}
	require.Empty(t, quorumOver(t, b, 2, metadata.LogTopic).Topics[0].Partitions)
}

func TestDescribeQuorumIsAnsweredByTheLeader(t *testing.T) {
	b, p := planned(t)
	p.Status = election.Status{Leadership: election.Leadership{Leader: 8, Epoch: math.MaxInt32 + 1}, Voters: []int32{7, 8}}
	quorum := quorumOver(t, b, 2, metadata.LogTopic, 0).Topics[0].Partitions[0]
	require.Equal(t, kerr.NotLeaderForPartition.Code, quorum.ErrorCode)
	require.EqualValues(t, 8, quorum.LeaderID)
	require.EqualValues(t, math.MaxInt32, quorum.LeaderEpoch)
	require.Empty(t, quorum.CurrentVoters)

	p.StatusFail = errBroken
	quorum = quorumOver(t, b, 2, metadata.LogTopic, 0).Topics[0].Partitions[0]
	require.Equal(t, kerr.UnknownServerError.Code, quorum.ErrorCode)
	require.Contains(t, *quorum.ErrorMessage, "broken")
}
