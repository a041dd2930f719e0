package consumer

import (
	"encoding/binary"
	"hash/fnv"
	"maps"
	"slices"

	"odradek.dev/core/internal/group/step"
)

// topicCache has the hashes of topics at one version of the metadata.
type topicCache struct {
	version int64
	hashes  map[string]uint64
}

func newTopicCache() topicCache { return topicCache{hashes: map[string]uint64{}} }

// Subscribes reports whether a member subscribes to a topic, by its name or by
// a regular expression.
func (g *Group) Subscribes(topic string) bool {
	if g.counts.topics[topic] > 0 {
		return true
	}
	for regex := range g.counts.regexes {
		if g.matches(regex, topic) {
			return true
		}
	}
	return false
}

// SubscribedTopics are the topics that members subscribe to, ascending, whether
// they exist or not.
func (g *Group) SubscribedTopics() []string {
	return slices.Sorted(maps.Keys(g.subscribed()))
}

func (g *Group) subscribed() map[string]bool {
	topics := make(map[string]bool, len(g.counts.topics))
	for name := range g.counts.topics {
		topics[name] = true
	}
	for regex := range g.counts.regexes {
		if resolved := g.regexes[regex]; resolved != nil {
			for _, name := range resolved.Topics {
				topics[name] = true
			}
		}
	}
	return topics
}

// subscribesTo reports whether a member wants a topic. One that does not exist
// any more nobody wants.
func (g *Group) subscribesTo(m *member, topic [16]byte) bool {
	name, exists := g.world.TopicName(topic)
	if !exists {
		return false
	}
	if _, named := slices.BinarySearch(m.topics, name); named {
		return true
	}
	return g.matches(m.regex(), name)
}

// wanted are the topics of a member that exist, ascending.
func (g *Group) wanted(m *member) []string {
	names := slices.Clone(m.topics)
	if resolved := g.regexes[m.regex()]; resolved != nil && len(resolved.Topics) > 0 {
		names = append(names, resolved.Topics...)
		slices.Sort(names)
		names = slices.Compact(names)
	}
	return slices.DeleteFunc(names, func(name string) bool {
		_, exists := g.world.Topic(name)
		return !exists
	})
}

// hashTopics is over what an assignor would see of the subscribed topics, in
// whatever order. A hash that differs from the one in the log asks for a new
// assignment.
func (g *Group) hashTopics() int64 {
	if version := g.world.MetadataVersion(); version != g.topics.version {
		g.topics.version = version
		clear(g.topics.hashes)
	}
	var sum uint64
	for name := range g.subscribed() {
		if topic, exists := g.world.Topic(name); exists {
			hash, known := g.topics.hashes[name]
			if !known {
				hash = hashTopic(topic)
				g.topics.hashes[name] = hash
			}
			sum += hash
		}
	}
	return int64(sum)
}

func hashTopic(topic step.Topic) uint64 {
	h := fnv.New64a()
	_, _ = h.Write(topic.ID[:])
	_, _ = h.Write([]byte(topic.Name))
	_, _ = h.Write(binary.BigEndian.AppendUint32(nil, uint32(topic.Partitions)))
	for partition, racks := range topic.Racks {
		_, _ = h.Write(binary.BigEndian.AppendUint32(nil, uint32(partition)))
		for _, rack := range slices.Sorted(slices.Values(racks)) {
			_, _ = h.Write(append([]byte(rack), 0))
		}
	}
	return h.Sum64()
}

// TopicsChanged tells of topics that were created, changed or deleted.
func (g *Group) TopicsChanged(now int64, out *step.Output) {
	g.refreshAt = step.Never
	if len(g.members) == 0 {
		return
	}
	if g.hashTopics() != g.metadataHash {
		out.Notes = append(out.Notes, "group "+g.id+": the topics that it subscribes to have changed")
		g.bump(out)
	}
	g.resolveAgain(now, out)
	g.assign(now, out)
}
