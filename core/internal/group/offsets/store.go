package offsets

import (
	"maps"
	"slices"

	"odradek.dev/core/internal/group/grouplog"
)

// Store keeps the newest offset of each partition of each group. It changes by
// [Store.Apply] alone, so that reading the log again comes to the same. Not for
// concurrent use.
type Store struct {
	groups map[string]topics
	// count is how many offsets there are.
	count int
}

// topics has the offsets of one group by topic and partition. Neither map is
// ever empty.
type topics map[string]map[int32]Committed

// Committed is one offset.
type Committed struct {
	Offset      int64
	LeaderEpoch int32
	Metadata    string
	// Timestamp is of the commit, Expires when the offset is too old, both in
	// milliseconds. Expires is -1 if the commit said nothing of it, and the
	// broker's rule holds.
	Timestamp, Expires int64
	// TopicID is 0 in commits of releases that did not note it.
	TopicID [16]byte
}

// NewStore starts empty.
func NewStore() *Store { return &Store{groups: make(map[string]topics)} }

// Len is how many offsets there are.
func (s *Store) Len() int { return s.count }

// Has says whether a group has any offsets.
func (s *Store) Has(group string) bool { return len(s.groups[group]) > 0 }

// Groups lists the groups with offsets, in no order.
func (s *Store) Groups() []string { return slices.Collect(maps.Keys(s.groups)) }

// Of describes all offsets of a group by topic and partition. The maps are the
// store's own and not to be changed.
func (s *Store) Of(group string) map[string]map[int32]Committed { return s.groups[group] }

// Apply takes over what a record says; value is nil for a tombstone.
func (s *Store) Apply(k grouplog.OffsetKey, value *grouplog.Offset) {
	if value == nil {
		s.remove(k)
		return
	}
	group := s.groups[k.Group]
	if group == nil {
		group = make(topics)
		s.groups[k.Group] = group
	}
	partitions := group[k.Topic]
	if partitions == nil {
		partitions = make(map[int32]Committed)
		group[k.Topic] = partitions
	}
	if _, known := partitions[k.Partition]; !known {
		s.count++
	}
	partitions[k.Partition] = Committed{
		Offset: value.Offset, LeaderEpoch: value.LeaderEpoch, Metadata: value.Metadata,
		Timestamp: value.CommitTimestamp, Expires: value.ExpireTimestamp, TopicID: value.TopicID,
	}
}

func (s *Store) remove(k grouplog.OffsetKey) {
	group := s.groups[k.Group]
	partitions := group[k.Topic]
	if _, known := partitions[k.Partition]; !known {
		return
	}
	s.count--
	if delete(partitions, k.Partition); len(partitions) == 0 {
		delete(group, k.Topic)
	}
	if len(group) == 0 {
		delete(s.groups, k.Group)
	}
}

// find is ok if there is an offset that is of the topic with this id. An offset
// of an earlier topic of the same name says nothing about this one.
func (s *Store) find(group, topic string, id [16]byte, partition int32) (Committed, bool) {
	c, ok := s.groups[group][topic][partition]
	return c, ok && c.isOf(id)
}

func (c Committed) isOf(id [16]byte) bool {
	none := [16]byte{}
	return c.TopicID == id || c.TopicID == none || id == none
}
