package coordinator

import (
	"odradek.dev/core/internal/group/step"
	"odradek.dev/core/internal/metadata"
)

// world answers what machines ask about the rest of the broker.
type world struct{ *shard }

func (s *shard) world() world { return world{s} }

func (w world) NewID() string { return w.Coordinator.NewID() }

func (w world) Topic(name string) (step.Topic, bool) {
	return w.image.Load().describe(name)
}

func (w world) TopicName(id [16]byte) (string, bool) {
	t, ok := w.image.Load().TopicByID(id)
	if !ok {
		return "", false
	}
	return t.Name, true
}

func (w world) MetadataVersion() int64 { return w.image.Load().Index() }

func (w world) Settings(groupID string) *step.Settings {
	seen := w.image.Load()
	return seen.broker.Group(seen.Configs(metadata.OneGroup(groupID)))
}

func (w world) EndOffsets(topic string) []int64 {
	t, ok := w.Partitions.TopicNamed(topic)
	if !ok {
		return nil
	}
	return t.EndOffsets()
}
