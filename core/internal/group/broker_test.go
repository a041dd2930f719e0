package group

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"odradek.dev/core/internal/group/consumer"
	"odradek.dev/core/internal/group/step"
	"odradek.dev/sdk/assignor"
)

// broker is the World of a test: the topics that it makes.
type broker struct {
	topics   map[string]step.Topic
	names    map[[16]byte]string
	ends     map[string][]int64
	version  int64
	made     uint16
	ids      int
	settings step.Settings
}

func newBroker() *broker {
	return &broker{
		topics: map[string]step.Topic{}, names: map[[16]byte]string{}, ends: map[string][]int64{},
		settings: step.Settings{
			MinSessionTimeoutMs: 6_000, MaxSessionTimeoutMs: 1_800_000, MaxSize: 100,
			OffsetsRetentionMs: 1_000_000, OffsetsRetentionCheckIntervalMs: 600_000, OffsetMetadataMaxSize: 8,
			ConsumerMaxSize: 100, ConsumerSessionTimeoutMs: 45_000, ConsumerHeartbeatIntervalMs: 5_000,
			ConsumerAssignors: []string{"uniform", "range"}, ConsumerMigrationPolicy: "bidirectional", RegexRefreshIntervalMs: 600_000,
		},
	}
}

// create makes a topic, or makes one that is there larger.
func (b *broker) create(name string, partitions int32) {
	topic := step.Topic{Name: name, Partitions: partitions}
	if old, exists := b.topics[name]; exists {
		topic.ID = old.ID
	} else {
		b.made++
		topic.ID[0], topic.ID[1] = byte(b.made), byte(b.made>>8)
	}
	b.topics[name], b.names[topic.ID] = topic, name
	b.version++
}

func (b *broker) remove(name string) step.Topic {
	topic := b.topics[name]
	delete(b.names, topic.ID)
	delete(b.topics, name)
	b.version++
	return topic
}

func (b *broker) NewID() string {
	b.ids++
	return fmt.Sprintf("id%d", b.ids)
}

func (b *broker) Topic(name string) (step.Topic, bool) {
	topic, exists := b.topics[name]
	return topic, exists
}

func (b *broker) TopicName(id [16]byte) (string, bool) {
	name, exists := b.names[id]
	return name, exists
}

func (b *broker) topicNames() []string            { return slices.Sorted(maps.Keys(b.topics)) }
func (b *broker) MetadataVersion() int64          { return b.version }
func (b *broker) Settings(string) *step.Settings  { return &b.settings }
func (b *broker) EndOffsets(topic string) []int64 { return slices.Clone(b.ends[topic]) }

// match answers a question about regular expressions by the topics that are
// there now, as of the version that was asked for.
func (b *broker) match(t *testing.T, asked step.Resolve) step.Resolved {
	topics, err := consumer.Match(asked.Expressions, b.topicNames(), func() error { return nil })
	require.NoError(t, err)
	return step.Resolved{Resolve: asked, Topics: topics}
}

// spread is an assignor that leaves a partition with its owner while that has
// no more than its share, and gives the others to who has least.
func spread(snapshot assignor.Snapshot) assignor.Assignment {
	plan := assignor.NewPlan(snapshot)
	owners := snapshot.Owners()
	for t, subscribers := range snapshot.Subscribers(snapshot.StaticFirst()) {
		if len(subscribers) == 0 {
			continue
		}
		partitions := snapshot.Topics[t].Partitions
		most := (int(partitions) + len(subscribers) - 1) / len(subscribers)
		counts := map[int]int{}
		var left []int32
		for p := range partitions {
			owner := owners[t][p]
			if !slices.Contains(subscribers, owner) || counts[owner] == most {
				left = append(left, p)
				continue
			}
			counts[owner]++
			plan.Give(owner, t, p)
		}
		for _, p := range left {
			least := slices.MinFunc(subscribers, func(a, b int) int { return counts[a] - counts[b] })
			counts[least]++
			plan.Give(least, t, p)
		}
	}
	return plan.Assignment()
}
