package group

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/core/internal/group/consumer"
	"odradek.dev/core/internal/group/grouptest"
	"odradek.dev/core/internal/group/step"
)

// broker is the World of a test.
type broker struct {
	*grouptest.World
	ends map[string][]int64
}

func newBroker() *broker {
	return &broker{ends: map[string][]int64{}, World: grouptest.NewWorld(step.Settings{
		MinSessionTimeoutMs: 6_000, MaxSessionTimeoutMs: 1_800_000, MaxSize: 100,
		OffsetsRetentionMs: 1_000_000, OffsetsRetentionCheckIntervalMs: 600_000, OffsetMetadataMaxSize: 8,
		ConsumerMaxSize: 100, ConsumerSessionTimeoutMs: 45_000, ConsumerHeartbeatIntervalMs: 5_000,
		ConsumerAssignors: []string{"uniform", "range"}, ConsumerMigrationPolicy: "bidirectional", RegexRefreshIntervalMs: 600_000,
	})}
}

func (b *broker) EndOffsets(topic string) []int64 { return slices.Clone(b.ends[topic]) }

// match answers a question about regular expressions by the topics that are
// there now, as of the version that was asked for.
func (b *broker) match(t *testing.T, asked step.Resolve) step.Resolved {
	topics, err := consumer.Match(asked.Expressions, b.TopicNames(), func() error { return nil })
	require.NoError(t, err)
	return step.Resolved{Resolve: asked, Topics: topics}
}
