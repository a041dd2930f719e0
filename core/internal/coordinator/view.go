package coordinator

import (
	"sync"

	"odradek.dev/core/internal/config"
	"odradek.dev/core/internal/group/step"
	"odradek.dev/core/internal/metadata"
)

// view is an image, and of it the broker's configuration and the topics as
// machines see them. Each is made out once, since every request asks for it.
// Safe for concurrent use.
type view struct {
	*metadata.Image
	broker *config.Broker
	topics sync.Map // step.Topic by name
}

func (c *Coordinator) newView(image *metadata.Image) *view {
	return &view{Image: image, broker: c.configOf(image)}
}

// configOf is the broker's configuration with what is set while it runs.
func (c *Coordinator) configOf(image *metadata.Image) *config.Broker {
	return c.Config.With(image.BrokerConfigs(c.Config.NodeID))
}

func (v *view) describe(name string) (step.Topic, bool) {
	if described, ok := v.topics.Load(name); ok {
		return described.(step.Topic), true
	}
	t, ok := v.Topic(name)
	if !ok {
		return step.Topic{}, false
	}
	described := describe(v.Image, t)
	v.topics.Store(name, described)
	return described, true
}

// topicNames are ascending. They have the internal topics too, as with Kafka: an
// expression that matches one gets it.
func (v *view) topicNames() []string {
	names := make([]string, 0, v.TopicCount())
	for t := range v.Topics() {
		names = append(names, t.Name)
	}
	return names
}

func describe(image *metadata.Image, t *metadata.Topic) step.Topic {
	described := step.Topic{ID: t.ID, Name: t.Name, Partitions: int32(len(t.Partitions))}
	for i, p := range t.Partitions {
		racks := racksOf(image, p.Record.Replicas)
		if len(racks) == 0 {
			continue
		}
		if described.Racks == nil {
			described.Racks = make([][]string, len(t.Partitions))
		}
		described.Racks[i] = racks
	}
	return described
}

func racksOf(image *metadata.Image, replicas []int32) (racks []string) {
	for _, id := range replicas {
		if b, ok := image.Broker(id); ok && b.Rack != "" {
			racks = append(racks, b.Rack)
		}
	}
	return racks
}
