package consumer

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/core/internal/group/step"
)

// world is a broker with the topics that a test makes.
type world struct {
	topics   map[string]step.Topic
	names    map[[16]byte]string
	version  int64
	made     byte
	ids      int
	settings step.Settings
}

func newWorld() *world {
	return &world{
		topics: map[string]step.Topic{}, names: map[[16]byte]string{},
		settings: step.Settings{
			MaxSize: 100, ConsumerMaxSize: 100,
			ConsumerSessionTimeoutMs: 45_000, ConsumerHeartbeatIntervalMs: 5_000, ConsumerAssignmentIntervalMs: 1_000,
			ConsumerAssignors: []string{"uniform", "range"}, ConsumerMigrationPolicy: "bidirectional", RegexRefreshIntervalMs: 600_000,
		},
	}
}

func (w *world) create(name string, partitions int32, racks [][]string) {
	topic := step.Topic{Name: name, Partitions: partitions, Racks: racks}
	if old, exists := w.topics[name]; exists {
		topic.ID = old.ID
	} else {
		w.made++
		topic.ID[0] = w.made
	}
	w.topics[name], w.names[topic.ID] = topic, name
	w.version++
}

func (w *world) remove(name string) {
	delete(w.names, w.topics[name].ID)
	delete(w.topics, name)
	w.version++
}

func (w *world) NewID() string {
	w.ids++
	return fmt.Sprintf("id-%d", w.ids)
}

func (w *world) Topic(name string) (step.Topic, bool) {
	topic, exists := w.topics[name]
	return topic, exists
}

func (w *world) TopicName(id [16]byte) (string, bool) {
	name, exists := w.names[id]
	return name, exists
}

// match answers a question about regular expressions by the topics that are
// there now, as of the version that was asked for.
func (w *world) match(t *testing.T, asked step.Resolve) step.Resolved {
	topics, err := Match(asked.Expressions, slices.Sorted(maps.Keys(w.topics)), func() error { return nil })
	require.NoError(t, err)
	return step.Resolved{Resolve: asked, Topics: topics}
}

func (w *world) MetadataVersion() int64         { return w.version }
func (w *world) Settings(string) *step.Settings { return &w.settings }
func (w *world) Lags(string, string) []int64    { return nil }
