package offsets

import "odradek.dev/core/internal/group/grouplog"

// Expiry is when the offsets of one group are too old, by the rules of
// KIP-211.
type Expiry struct {
	// RetentionMs is offsets.retention.minutes.
	RetentionMs int64
	// EmptySinceMs is when the last member left, and from when all offsets of
	// the group count; -1 where each counts from its own commit.
	EmptySinceMs int64
	// Subscribed names the topics whose offsets stay whatever their age; nil
	// if there are none.
	Subscribed func(topic string) bool
}

// Expired makes the tombstones of the offsets of a group that are too old.
func (s *Store) Expired(now int64, group string, e Expiry) []grouplog.Record {
	return s.deleteWhere(group, func(topic string, c Committed) bool {
		switch {
		case e.Subscribed != nil && e.Subscribed(topic):
			return false
		case c.Expires >= 0:
			return now >= c.Expires
		case e.EmptySinceMs >= 0:
			return now-e.EmptySinceMs >= e.RetentionMs
		}
		return now-c.Timestamp >= e.RetentionMs
	})
}
