package coordinator

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/step"
)

// BenchmarkCommit is a member of the classic protocol that commits again and
// again, without what the connection and the disk take.
func BenchmarkCommit(b *testing.B) {
	for _, partitions := range []int{1, 10} {
		b.Run(fmt.Sprintf("partitions=%d", partitions), func(b *testing.B) {
			h := newHouse(b)
			h.create("orders", 10)
			h.start()
			q := h.memberCommit(partitions)
			from := step.Client{ID: "c", Host: "/h"}
			b.ReportAllocs()
			for b.Loop() {
				h.coordinator.Do("g", from, q(), func(r kmsg.Response) {
					if r.(*kmsg.OffsetCommitResponse).Topics[0].Partitions[0].ErrorCode != 0 {
						b.Fail()
					}
				})
			}
		})
	}
}

// memberCommit has a member join the group g, and makes its requests. The
// machine owns a request that it was given.
func (h *house) memberCommit(partitions int) func() *kmsg.OffsetCommitRequest {
	joined := answerOf[*kmsg.JoinGroupResponse](h.t, h.join("g", answerOf[*kmsg.JoinGroupResponse](h.t, h.join("g", "")).MemberID))
	require.Zero(h.t, joined.ErrorCode)
	synced := h.ask("g", &kmsg.SyncGroupRequest{
		Version: 5, Group: "g", MemberID: joined.MemberID, Generation: joined.Generation,
		ProtocolType: joined.ProtocolType, Protocol: joined.Protocol,
		GroupAssignment: []kmsg.SyncGroupRequestGroupAssignment{{MemberID: joined.MemberID}},
	})
	require.Zero(h.t, answerOf[*kmsg.SyncGroupResponse](h.t, synced).ErrorCode)
	topic := kmsg.OffsetCommitRequestTopic{Topic: "orders"}
	for p := range partitions {
		topic.Partitions = append(topic.Partitions, kmsg.OffsetCommitRequestTopicPartition{Partition: int32(p), Offset: 1, LeaderEpoch: -1})
	}
	return func() *kmsg.OffsetCommitRequest {
		return &kmsg.OffsetCommitRequest{
			Version: 9, Group: "g", MemberID: joined.MemberID, Generation: joined.Generation,
			Topics: []kmsg.OffsetCommitRequestTopic{topic},
		}
	}
}
