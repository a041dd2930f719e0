package kgoadapter_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/sdk/assignor"
	"odradek.dev/sdk/assignor/kafkasticky"
	"odradek.dev/sdk/kgoadapter"
)

func ourSticky() kgo.GroupBalancer {
	return kgoadapter.Balancer("sticky", balanceFunc(kafkasticky.Assign), kgoadapter.OwnedInUserData())
}

func ourCooperativeSticky() kgo.GroupBalancer {
	return kgoadapter.Balancer("cooperative-sticky", balanceFunc(kafkasticky.Assign), kgoadapter.Cooperative())
}

func TestBalancersOfKafkasNamesArePlugCompatible(t *testing.T) {
	require.Equal(t, kgo.StickyBalancer().ProtocolName(), ourSticky().ProtocolName())
	require.False(t, ourSticky().IsCooperative())
	require.Equal(t, kgo.CooperativeStickyBalancer().ProtocolName(), ourCooperativeSticky().ProtocolName())
	require.True(t, ourCooperativeSticky().IsCooperative())
}

// Members of franz-go and of the adapter lead a group in turn, and each
// understands what the other's members had.
func TestLibrariesShareAGroup(t *testing.T) {
	topics := map[string]int32{"a": 5, "b": 2}
	had := map[string]map[string][]int32{"m1": {"a": {1, 3, 4}}, "m2": {"a": {0, 2}, "b": {0, 1}}}
	for name, pair := range map[string][2]kgo.GroupBalancer{
		"sticky":             {kgo.StickyBalancer(), ourSticky()},
		"cooperative-sticky": {kgo.CooperativeStickyBalancer(), ourCooperativeSticky()},
	} {
		t.Run(name, func(t *testing.T) {
			theirs, ours := pair[0], pair[1]
			for _, leader := range pair {
				got := balance(t, leader, topics,
					joined(t, theirs, "m1", "", had["m1"], 3, "a", "b"), joined(t, ours, "m2", "", had["m2"], 3, "a", "b"))
				require.Equal(t, had, got, "led by %T", leader)
			}
		})
	}
}

// Whoever leads, a third member is given nothing that the others still consume.
func TestLibrariesHoldBackAlike(t *testing.T) {
	topics := map[string]int32{"a": 6}
	theirs, ours := kgo.CooperativeStickyBalancer(), ourCooperativeSticky()
	for _, leader := range []kgo.GroupBalancer{theirs, ours} {
		got := balance(t, leader, topics,
			joined(t, theirs, "m1", "", map[string][]int32{"a": {0, 1, 2}}, 3, "a"),
			joined(t, ours, "m2", "", map[string][]int32{"a": {3, 4, 5}}, 3, "a"),
			joined(t, ours, "m3", "", nil, -1, "a"))
		require.Len(t, got["m1"]["a"], 2, "led by %T", leader)
		require.Len(t, got["m2"]["a"], 2, "led by %T", leader)
		require.Empty(t, got["m3"], "led by %T", leader)
	}
}

func TestUserDataOfAnotherKindIsNoClaim(t *testing.T) {
	b := ourSticky()
	for _, data := range []string{"", "me", "\x7f\xff\xff\xff", "\x00\x00\x00\x01\x00\x01a\x7f\xff\xff\xff"} {
		meta := kmsg.NewConsumerMemberMetadata()
		meta.Topics, meta.UserData = []string{"a"}, []byte(data)
		stranger := kmsg.NewJoinGroupResponseMember()
		stranger.MemberID, stranger.ProtocolMetadata = "m1", meta.AppendTo(nil)
		got := balance(t, b, map[string]int32{"a": 2}, stranger, joined(t, b, "m2", "", map[string][]int32{"a": {0}}, 3, "a"))
		require.Equal(t, map[string]map[string][]int32{"m1": {"a": {1}}, "m2": {"a": {0}}}, got, "%q", data)
	}
}

// Before KIP-341 there was no generation behind it.
func TestUserDataWithoutGeneration(t *testing.T) {
	var seen assignor.Snapshot
	b := kgoadapter.Balancer("sticky", balanceFunc(func(ctx context.Context, s assignor.Snapshot) (assignor.Assignment, error) {
		seen = s
		return kafkasticky.Assign(ctx, s)
	}), kgoadapter.OwnedInUserData())
	meta := kmsg.NewConsumerMemberMetadata()
	meta.Topics, meta.UserData = []string{"a"}, []byte("\x00\x00\x00\x01\x00\x01a\x00\x00\x00\x02\x00\x00\x00\x01\x00\x00\x00\x00")
	old := kmsg.NewJoinGroupResponseMember()
	old.MemberID, old.ProtocolMetadata = "m1", meta.AppendTo(nil)
	balance(t, b, map[string]int32{"a": 2}, old)
	require.Equal(t, []assignor.TopicPartitions{{Topic: "a", Partitions: []int32{0, 1}}}, seen.Members[0].Owned)
	require.Equal(t, int32(-1), seen.Members[0].Generation)
}
