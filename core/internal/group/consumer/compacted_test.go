package consumer

import (
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/core/internal/group/grouplog"
	"odradek.dev/core/internal/group/step"
)

// Compaction keeps the last record of each key: what a member has can stand
// before what it is, and what is left of one that is gone belongs to nobody.
func TestReplayOfACompactedLog(t *testing.T) {
	w := newWorld()
	w.Create("t", 3)
	id := w.Topics["t"].ID
	has := func(epoch int32, partitions ...int32) *grouplog.Current {
		return &grouplog.Current{Epoch: epoch, PreviousEpoch: epoch - 1, Assigned: []grouplog.AssignedPartitions{
			{TopicPartitions: grouplog.TopicPartitions{TopicID: id, Partitions: partitions}},
		}}
	}
	g := New("g", w)
	for _, r := range []grouplog.Record{
		{Key: grouplog.CurrentKey{Group: "g", Member: "a"}, Value: has(4, 1, 0)},
		{Key: grouplog.CurrentKey{Group: "g", Member: "ghost"}, Value: has(3, 2)},
		{Key: grouplog.TargetMemberKey{Group: "g", Member: "a"}, Value: &grouplog.TargetMember{Partitions: []grouplog.TopicPartitions{{TopicID: id, Partitions: []int32{2, 1}}}}},
		grouplog.Delete(grouplog.CurrentKey{Group: "g", Member: "b"}),
		grouplog.Delete(grouplog.MemberKey{Group: "g", Member: "b"}),
		{Key: grouplog.MemberKey{Group: "g", Member: "a"}, Value: &grouplog.Member{Topics: []string{"t"}, RebalanceTimeoutMillis: 5000}},
		{Key: grouplog.ConsumerGroupKey{Group: "g"}, Value: &grouplog.ConsumerGroup{Epoch: 4}},
		{Key: grouplog.TargetKey{Group: "g"}, Value: &grouplog.Target{Epoch: 4}},
	} {
		g.Apply(r)
	}
	g.Loaded(100)
	require.Equal(t, 1, g.Members())
	a := g.members["a"]
	// Records of older releases have no epochs: they are the member's.
	require.Equal(t, []held{{place{id, 0}, 4}, {place{id, 1}, 4}}, a.current.assigned)
	require.Equal(t, []place{{id, 1}, {id, 2}}, a.target)
	require.Equal(t, map[place]*member{{id, 0}: a, {id, 1}: a}, g.owners)
	require.Equal(t, "Stable", g.State())

	// The hash in the log is another broker's: the group is assigned anew.
	require.Equal(t, int64(100), g.Deadline())
	out := &step.Output{}
	g.Tick(100, out)
	require.Len(t, out.Assigns, 1)
	require.Equal(t, int32(5), out.Assigns[0].Epoch)
}

// A partition that has passed to somebody else stays with it, when an older
// holder is found later to have given it up.
func TestReplayOfAHandOverOutOfOrder(t *testing.T) {
	w := newWorld()
	w.Create("t", 1)
	at := place{w.Topics["t"].ID, 0}
	has := current{epoch: 2, assigned: []held{{at, 2}}}
	g := New("g", w)
	for _, r := range []grouplog.Record{
		{Key: grouplog.MemberKey{Group: "g", Member: "a"}, Value: &grouplog.Member{}},
		{Key: grouplog.MemberKey{Group: "g", Member: "b"}, Value: &grouplog.Member{}},
		{Key: grouplog.CurrentKey{Group: "g", Member: "a"}, Value: has.record()},
		{Key: grouplog.CurrentKey{Group: "g", Member: "b"}, Value: has.record()},
		{Key: grouplog.CurrentKey{Group: "g", Member: "a"}, Value: current{epoch: 3}.record()},
	} {
		g.Apply(r)
	}
	require.Equal(t, map[place]*member{at: g.members["b"]}, g.owners)
}
