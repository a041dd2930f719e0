package grouplog

import "github.com/twmb/franz-go/pkg/kmsg"

// Offset is a committed offset. Version 4 is written, which has the topic's id;
// or version 1, which has a time of its own at which the offset expires, but no
// leader epoch and no topic id.
type Offset struct{ kmsg.OffsetCommitValue }

// ClassicGroup is a classic group at the end of a rebalance: generation,
// protocol, leader, and of each member the metadata and the assignment. Version
// 3 is written, as Kafka does.
type ClassicGroup struct{ kmsg.GroupMetadataValue }

// ConsumerGroup is a group of KIP-848.
type ConsumerGroup struct {
	// Epoch rises with every change of members, subscriptions or topics.
	Epoch int32
	// MetadataHash is over the topics that the group subscribes to.
	MetadataHash int64
}

// Member is a member of a group of KIP-848. Nil strings are what the member
// did not say.
type Member struct {
	InstanceID, RackID     *string
	ClientID, ClientHost   string
	Topics                 []string
	Regex                  *string
	RebalanceTimeoutMillis int32
	ServerAssignor         *string
	// Classic is nil for a member that uses the consumer protocol.
	Classic *ClassicMember
}

// ClassicMember is what is known of a member that uses the classic protocol in
// a group of KIP-848.
type ClassicMember struct {
	SessionTimeoutMillis int32
	Protocols            []ClassicProtocol
}

// ClassicProtocol is one protocol that a classic member supports, with the
// subscription in the client's own format.
type ClassicProtocol struct {
	Name     string
	Metadata []byte
}

// Target is the epoch that the target assignment was computed for, and when it
// was, in milliseconds (0 if unknown).
type Target struct {
	Epoch     int32
	Timestamp int64
}

// TopicPartitions is partitions of one topic.
type TopicPartitions struct {
	TopicID    [16]byte
	Partitions []int32
}

// TargetMember is what the target assignment has for a member.
type TargetMember struct {
	Partitions []TopicPartitions
}

// Current is what a member has now.
type Current struct {
	Epoch, PreviousEpoch int32
	// State is one of the member states of KIP-848: 0 stable, 1 unrevoked
	// partitions, 2 unreleased partitions.
	State             int8
	Assigned          []AssignedPartitions
	PendingRevocation []AssignedPartitions
}

// AssignedPartitions is partitions of one topic, each with the member epoch at
// which the member got it; Epochs is as long as Partitions, or empty in records
// of releases that did not note them.
type AssignedPartitions struct {
	TopicPartitions
	Epochs []int32
}

// Regex is what a regular expression came to.
type Regex struct {
	Topics []string
	// Version is that of the metadata, and Timestamp the time in milliseconds,
	// at which it was resolved.
	Version, Timestamp int64
}
