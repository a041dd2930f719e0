package group

import (
	"odradek.dev/core/internal/group/offsets"
	"odradek.dev/core/internal/group/step"
)

// World is what a machine may ask about the rest of the broker; see
// [step.World].
type World interface {
	NewID() string
	Topic(name string) (step.Topic, bool)
	TopicName(id [16]byte) (string, bool)
	MetadataVersion() int64
	// Settings of a group; those of no group in particular for the empty name.
	Settings(group string) *step.Settings
	// EndOffsets has for each partition of a topic the high watermark, -1 if it
	// is not known. The slice is the caller's.
	EndOffsets(topic string) []int64
}

// world adds what the machine itself knows.
type world struct {
	World
	offsets *offsets.Store
}

// Lags are counted from the committed offsets. Where nothing was committed the
// lag is not known: it hangs on where the consumer begins.
func (w *world) Lags(group, topic string) []int64 {
	committed := w.offsets.Of(group)[topic]
	if len(committed) == 0 {
		return nil
	}
	lags := w.EndOffsets(topic)
	for i, end := range lags {
		c, ok := committed[int32(i)]
		if !ok || end < 0 {
			lags[i] = -1
			continue
		}
		lags[i] = max(end-c.Offset, 0)
	}
	return lags
}

func (w *world) topicID(name string) ([16]byte, bool) {
	t, ok := w.Topic(name)
	return t.ID, ok
}
