package grouptest

import (
	"fmt"
	"maps"
	"slices"

	"odradek.dev/core/internal/group/step"
)

// World is what groups see of a broker: the topics that a test makes, and
// identities that are counted. Not for concurrent use.
type World struct {
	// Topics are those that there are, and Names theirs by id.
	Topics map[string]step.Topic
	Names  map[[16]byte]string
	// Config is that of every group that has none of its own.
	Config step.Settings
	// own is that of the others.
	own map[string]*step.Settings

	version int64
	made    uint16
	ids     int
}

var _ step.World = (*World)(nil)

// NewWorld makes a world without topics.
func NewWorld(config step.Settings) *World {
	return &World{Topics: map[string]step.Topic{}, Names: map[[16]byte]string{}, Config: config, own: map[string]*step.Settings{}}
}

// Create makes a topic, or makes one that is there larger. The racks of a
// partition's replicas may be left out.
func (w *World) Create(name string, partitions int32, racks ...[]string) {
	topic := step.Topic{Name: name, Partitions: partitions, Racks: racks}
	if old, exists := w.Topics[name]; exists {
		topic.ID = old.ID
	} else {
		w.made++
		topic.ID[0], topic.ID[1] = byte(w.made), byte(w.made>>8)
	}
	w.Topics[name], w.Names[topic.ID] = topic, name
	w.version++
}

// Remove deletes a topic and returns what it was.
func (w *World) Remove(name string) step.Topic {
	topic := w.Topics[name]
	delete(w.Names, topic.ID)
	delete(w.Topics, name)
	w.version++
	return topic
}

// TopicNames are those of all topics, ascending.
func (w *World) TopicNames() []string { return slices.Sorted(maps.Keys(w.Topics)) }

// NewID counts.
func (w *World) NewID() string {
	w.ids++
	return fmt.Sprintf("id%d", w.ids)
}

// Topic finds a topic by name.
func (w *World) Topic(name string) (step.Topic, bool) {
	topic, exists := w.Topics[name]
	return topic, exists
}

// TopicName finds the name of an id.
func (w *World) TopicName(id [16]byte) (string, bool) {
	name, exists := w.Names[id]
	return name, exists
}

// MetadataVersion counts the changes of topics.
func (w *World) MetadataVersion() int64 { return w.version }

// Settings are Config, or what Own gave the group.
func (w *World) Settings(group string) *step.Settings {
	if own := w.own[group]; own != nil {
		return own
	}
	return &w.Config
}

// Own gives a group a configuration of its own, to be changed: at first a copy
// of Config, which it does not follow from then on.
func (w *World) Own(group string) *step.Settings {
	if w.own[group] == nil {
		own := w.Config
		w.own[group] = &own
	}
	return w.own[group]
}

// Lags are not known.
func (w *World) Lags(string, string) []int64 { return nil }
