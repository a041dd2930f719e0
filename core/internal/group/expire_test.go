package group

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kmsg"

	"odradek.dev/core/internal/group/step"
)

// An interval that is longer than the time that is left is one without an end,
// not one that is always over.
func TestOffsetsAreNotLookedAtWithoutAnEnd(t *testing.T) {
	const now = 1_700_000_000_000
	w := newBroker()
	w.Create("orders", 1)
	w.Config.OffsetsRetentionCheckIntervalMs = math.MaxInt64
	m := New(w)
	m.Loaded(now)
	commit := kmsg.NewPtrOffsetCommitRequest()
	commit.Version, commit.Group, commit.Generation = 8, "standalone", -1
	commit.Topics = []kmsg.OffsetCommitRequestTopic{{Topic: "orders", Partitions: []kmsg.OffsetCommitRequestTopicPartition{{Offset: 7, LeaderEpoch: -1}}}}
	m.Handle(now, 1, step.Client{}, commit)
	require.Equal(t, step.Never, m.Deadline())
	w.Config.OffsetsRetentionCheckIntervalMs = 600_000
	m.Loaded(now)
	require.EqualValues(t, now+600_000, m.Deadline())
	m.Tick(now + 600_000)
	require.EqualValues(t, now+1_200_000, m.Deadline())
	w.Config.OffsetsRetentionCheckIntervalMs = math.MaxInt64
	m.Tick(now + 1_200_000)
	require.Equal(t, step.Never, m.Deadline())
}
