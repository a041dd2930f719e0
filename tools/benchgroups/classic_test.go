package main

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// The shares of classic members are equal and leave nothing out.
func TestShare(t *testing.T) {
	m := &member{plan: plan{topic: "t", partitions: 10}}
	seen := make(map[int32]bool)
	for _, one := range m.share([]kmsg.JoinGroupResponseMember{{MemberID: "c"}, {MemberID: "a"}, {MemberID: "b"}}) {
		var assigned kmsg.ConsumerMemberAssignment
		require.NoError(t, assigned.ReadFrom(one.MemberAssignment))
		require.InDelta(t, 3.5, len(assigned.Topics[0].Partitions), 0.5)
		for _, p := range assigned.Topics[0].Partitions {
			require.False(t, seen[p])
			seen[p] = true
		}
	}
	require.Len(t, seen, 10)
}
