package group

import (
	"maps"
	"slices"

	"odradek.dev/core/internal/group/classic"
	"odradek.dev/core/internal/group/offsets"
	"odradek.dev/core/internal/group/step"
)

// expire deletes offsets that are too old, and groups without members and
// offsets.
func (m *Machine) expire(now int64, out *step.Output) {
	for _, id := range slices.Sorted(maps.Keys(m.groups)) {
		e := m.groups[id]
		if rule, ok := m.expiry(e); ok {
			m.write(m.offsets.Expired(now, id, rule), out)
		}
		if e.size() == 0 && !m.offsets.Has(id) && (e.consumer != nil || e.classic.State() == classic.Empty) {
			e.entomb(out)
		}
		m.settle(now, e, out)
	}
}

// nextExpiry is when to look again; an interval that no time is left for is how
// it is said that offsets are not to expire.
func (m *Machine) nextExpiry(now int64) int64 {
	return now + min(m.world.Settings("").OffsetsRetentionCheckIntervalMs, step.Never-now)
}

// expiry is the rule for the offsets of a group; ok is false while none may
// expire.
func (m *Machine) expiry(e *entry) (rule offsets.Expiry, ok bool) {
	rule = offsets.Expiry{RetentionMs: m.world.Settings(e.id).OffsetsRetentionMs, EmptySinceMs: -1}
	switch {
	case e.consumer != nil:
		rule.Subscribed = e.consumer.Subscribes
		return rule, true
	case e.classic.ProtocolType() == "":
		return rule, true // it was never joined
	case e.classic.State() == classic.Empty:
		if since, known := e.classic.EmptySince(); known {
			rule.EmptySinceMs = since
		}
		return rule, true
	case e.classic.State() == classic.Stable && e.classic.ProtocolType() == step.ConsumerProtocol:
		if _, known := e.classic.SubscribedTopics(); known {
			rule.Subscribed = e.subscribes
			return rule, true
		}
	}
	return rule, false
}

// findOrphans finds topics that are not there and have offsets.
func (m *Machine) findOrphans() map[[16]byte]string {
	gone := map[[16]byte]string{}
	for _, id := range m.offsets.Groups() {
		for topic, partitions := range m.offsets.Of(id) {
			for _, c := range partitions {
				if _, exists := m.world.TopicName(c.TopicID); !exists && c.TopicID != ([16]byte{}) {
					gone[c.TopicID] = topic
				}
			}
		}
	}
	return gone
}

// removeOrphans deletes the offsets of orphans.
func (m *Machine) removeOrphans(out *step.Output) {
	gone := m.orphans
	m.orphans = nil
	for _, id := range slices.SortedFunc(maps.Keys(gone), func(a, b [16]byte) int { return slices.Compare(a[:], b[:]) }) {
		m.write(m.offsets.DeleteTopic(gone[id], id), out)
	}
}
