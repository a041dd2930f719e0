// Package assignor is the contract of modules that decide which member of a
// consumer group consumes which partition: on the server for groups of KIP-848,
// and in clients for classic groups.
package assignor

import (
	"context"

	"odradek.dev/sdk/module"
)

// Assignor computes assignments. It is pure: equal snapshots give equal
// assignments, on every machine. Safe for concurrent use. A call whose context
// has ended gives an error.
//
// An answer is where each partition is to be in the end. What moves is given to
// its next owner only when the last one has let go of it: that is the host's
// care, and no assignor leaves a partition out for it.
//
// The host checks each answer with [Check]; an answer that is not exact, an
// error or a missed deadline makes it fall back to the built-in assignor, and
// it counts and logs that it did.
type Assignor interface {
	Assign(ctx context.Context, snapshot Snapshot) (Assignment, error)
}

// Snapshot is the whole of what an assignor may know. Its JSON, and that of an
// [Assignment], is the admin listener's.
type Snapshot struct {
	Group string `json:"group"`
	// Members is in ascending order of ID.
	Members []Member `json:"members"`
	// Topics has every topic that a member subscribes to and that exists, in
	// ascending order of name.
	Topics []Topic `json:"topics"`
}

// Member is one consumer.
type Member struct {
	ID string `json:"id"`
	// InstanceID is group.instance.id, empty for a dynamic member.
	InstanceID string `json:"instance_id"`
	// Rack is client.rack, empty if unknown.
	Rack string `json:"rack"`
	// Topics is what the member subscribes to, ascending. Topics that do not
	// exist are left out.
	Topics []string `json:"topics"`
	// UserData is the member's own bytes, as its client sent them.
	UserData []byte `json:"user_data"`
	// Owned is what the member had before, as far as known.
	Owned []TopicPartitions `json:"owned"`
	// Generation is that of Owned, -1 if unknown. Of two claims to one
	// partition the one of the higher generation is true.
	Generation int32 `json:"generation"`
}

// Topic is one subscribed topic.
type Topic struct {
	Name       string `json:"name"`
	Partitions int32  `json:"partitions"`
	// Racks has for each partition the racks of its replicas; empty if unknown.
	Racks [][]string `json:"racks"`
	// Lags has for each partition the records that the group has yet to
	// consume, -1 if unknown; empty if none is known.
	Lags []int64 `json:"lags"`
}

// TopicPartitions is partitions of one topic, ascending.
type TopicPartitions struct {
	Topic      string  `json:"topic"`
	Partitions []int32 `json:"partitions"`
}

// Assignment answers a snapshot.
type Assignment struct {
	// Members has one entry for each member of the snapshot, in its order.
	Members []MemberAssignment `json:"members"`
}

// MemberAssignment is what one member is to consume.
type MemberAssignment struct {
	// Partitions is in ascending order of topic; no topic stands twice, and
	// none without partitions.
	Partitions []TopicPartitions `json:"partitions"`
	// UserData goes to the member's client unread.
	UserData []byte `json:"user_data"`
}

// Module makes the factory of an assignor. The descriptor's kind may be left
// empty.
func Module[S module.Settings](d module.Descriptor, defaults func() S, build func(module.Env, S) (Assignor, error)) module.Factory {
	d.Kind = module.Assignor
	return module.NewFactory(d, defaults, build)
}
