package grouplog

// Record is one record. Without a Value it is a tombstone: what Key names is
// there no more.
type Record struct {
	Key   Key
	Value Value
}

// Delete makes the tombstone of a key.
func Delete(k Key) Record { return Record{Key: k} }

// Key says what a record is about. It is one of the key types of this package,
// by value; keys can be compared, and be keys of maps.
type Key interface {
	// GroupID is the group that the record is of.
	GroupID() string
	appendTo(b []byte) []byte
}

// Value is what a record says: *[Offset], *[ClassicGroup], *[ConsumerGroup],
// *[Member], *[Target], *[TargetMember], *[Current] or *[Regex], as the key has it.
type Value interface {
	appendTo(b []byte) []byte
}

// The types of keys.
const (
	legacyOffsetType  int16 = 0
	offsetType        int16 = 1
	classicGroupType  int16 = 2
	consumerGroupType int16 = 3
	partitionMetaType int16 = 4
	memberType        int16 = 5
	targetType        int16 = 6
	targetMemberType  int16 = 7
	currentType       int16 = 8
	regexType         int16 = 16
)

// OffsetKey is of the offset that a group committed for a partition; the value
// is an [Offset].
type OffsetKey struct {
	Group     string
	Topic     string
	Partition int32
}

// ClassicGroupKey is of a classic group; the value is a [ClassicGroup].
type ClassicGroupKey struct{ Group string }

// ConsumerGroupKey is of a group of KIP-848; the value is a [ConsumerGroup].
type ConsumerGroupKey struct{ Group string }

// PartitionMetadataKey is of what releases before 4.1 kept of a group's topics.
// It is decoded so that it can be passed over and deleted; its value is not.
type PartitionMetadataKey struct{ Group string }

// MemberKey is of a member of a group of KIP-848 and what it asks for; the
// value is a [Member].
type MemberKey struct{ Group, Member string }

// TargetKey is of the epoch of a group's target assignment; the value is a
// [Target].
type TargetKey struct{ Group string }

// TargetMemberKey is of what the target assignment has for a member; the value
// is a [TargetMember].
type TargetMemberKey struct{ Group, Member string }

// CurrentKey is of what a member has now on its way to the target; the value is
// a [Current].
type CurrentKey struct{ Group, Member string }

// RegexKey is of a regular expression that members subscribe to; the value is a
// [Regex].
type RegexKey struct{ Group, Regex string }

func (k OffsetKey) GroupID() string            { return k.Group }
func (k ClassicGroupKey) GroupID() string      { return k.Group }
func (k ConsumerGroupKey) GroupID() string     { return k.Group }
func (k PartitionMetadataKey) GroupID() string { return k.Group }
func (k MemberKey) GroupID() string            { return k.Group }
func (k TargetKey) GroupID() string            { return k.Group }
func (k TargetMemberKey) GroupID() string      { return k.Group }
func (k CurrentKey) GroupID() string           { return k.Group }
func (k RegexKey) GroupID() string             { return k.Group }
