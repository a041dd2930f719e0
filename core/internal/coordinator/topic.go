package coordinator

import (
	"context"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/core/internal/metadata"
	"odradek.dev/core/internal/refusal"
)

// Find says whether this broker coordinates a group. The first to ask has the
// topic created; everybody who asks before it is there asks again.
func (c *Coordinator) Find(ctx context.Context, groupID string) (node int32, refused *refusal.Refusal) {
	topic, ok := c.Controller.Image().Topic(Topic)
	if !ok {
		if refused := c.Create(ctx); refused != nil {
			return -1, refused
		}
		if topic, ok = c.Controller.Image().Topic(Topic); !ok {
			return -1, notYet
		}
	}
	leader := topic.Partitions[partitionFor(groupID, len(topic.Partitions))].Record.Leader
	if leader < 0 {
		return -1, notYet
	}
	return leader, nil
}

var notYet = refusal.New(kerr.CoordinatorNotAvailable, "the topic %s is not ready yet; ask again", Topic)

// createDelay is how long a topic that could not be created is let be: every
// client of every group asks for it again and again.
const createDelay = time.Second

// Create makes the topic that groups are kept in, if it is not there.
func (c *Coordinator) Create(ctx context.Context) *refusal.Refusal {
	c.creating.Lock()
	defer c.creating.Unlock()
	if _, ok := c.Controller.Image().Topic(Topic); ok {
		return nil
	}
	if c.Clock.Now().Before(c.createAt) {
		return c.uncreated
	}
	image := c.Controller.Image()
	b := c.configOf(image)
	replicas := min(b.OffsetsTopic.ReplicationFactor, int16(max(len(image.Brokers()), 1)))
	if replicas < b.OffsetsTopic.ReplicationFactor {
		c.Log.Info("the topic of offsets gets fewer replicas than offsets.topic.replication.factor, as there are no more brokers",
			"replicas", replicas, "offsets.topic.replication.factor", b.OffsetsTopic.ReplicationFactor)
	}
	result := c.Controller.CreateTopics(ctx, []metadata.NewTopic{{
		Name: Topic, Partitions: b.OffsetsTopic.Partitions, ReplicationFactor: replicas, Configs: b.OffsetsTopic.Configs(),
	}}, false)[0]
	if r := result.Refusal; r != nil && r.Kind != kerr.TopicAlreadyExists {
		c.Log.Error("cannot create the topic of offsets", "topic", Topic, "error", r)
		c.uncreated = refusal.New(kerr.CoordinatorNotAvailable, "the topic %s could not be created: %s", Topic, r.Message)
		c.createAt = c.Clock.Now().Add(createDelay)
		return c.uncreated
	}
	return nil
}
