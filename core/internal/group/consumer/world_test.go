package consumer

import (
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/core/internal/group/grouptest"
	"odradek.dev/core/internal/group/step"
)

// world is a broker with the topics that a test makes.
type world struct{ *grouptest.World }

func newWorld() *world {
	return &world{grouptest.NewWorld(step.Settings{
		MaxSize: 100, ConsumerMaxSize: 100,
		ConsumerSessionTimeoutMs: 45_000, ConsumerHeartbeatIntervalMs: 5_000, ConsumerAssignmentIntervalMs: 1_000,
		ConsumerAssignors: []string{"uniform", "range"}, ConsumerMigrationPolicy: "bidirectional", RegexRefreshIntervalMs: 600_000,
	})}
}

// match answers a question about regular expressions by the topics that are
// there now, as of the version that was asked for.
func (w *world) match(t *testing.T, asked step.Resolve) step.Resolved {
	topics, err := Match(asked.Expressions, w.TopicNames(), func() error { return nil })
	require.NoError(t, err)
	return step.Resolved{Resolve: asked, Topics: topics}
}
