package step

// Explanation is who decided what the members of a group have, and how far they
// have come to it.
type Explanation struct {
	Group, Type, State string
	// Epoch is the group's, and TargetEpoch that of the last decision. They are
	// the generation of a classic group.
	Epoch, TargetEpoch int32
	// Assignor is the one of the broker that decided or, in a classic group, the
	// protocol by which Leader did, which is a member.
	Assignor, Leader string
	// Why is what the last rebalance of a classic group was for; empty if that
	// was before the coordinator has loaded.
	Why string
	// DecidedAtMs is when, in Unix milliseconds; -1 if nothing is decided.
	DecidedAtMs int64
	// Fallback says that Assignor failed and the built-in one decided, and
	// Failure that nobody could, since then.
	Fallback bool
	Failure  string
	// Known is false if the decision was made before the coordinator has
	// loaded: then the assignor is only the one that the next will be by.
	Known   bool
	Members []ExplainedMember
}

// ExplainedMember is one member.
type ExplainedMember struct {
	ID, Instance, Rack string
	Client             Client
	// Topics are the names that it subscribes to, Expression the regular
	// expression.
	Topics     []string
	Expression string
	// Assignor is the one that it asks for, if it does.
	Assignor string
	// Epoch is the member's.
	Epoch int32
	// Kept, Gained and Lost count the partitions that the last decision left,
	// gave and took.
	Kept, Gained, Lost int
	// Waits says that it waits for others to join, or for the leader to decide.
	Waits      bool
	Partitions []ExplainedPartition
}

// ExplainedPartition is one that a member has, or is to have.
type ExplainedPartition struct {
	Topic     string
	Partition int32
	State     PartitionState
	// Holder is the member that has yet to give it up, if it is [PartitionAwaited].
	Holder string
}

// PartitionState is how a member stands to a partition.
type PartitionState string

// The states.
const (
	// PartitionHeld is as it is to be.
	PartitionHeld PartitionState = "held"
	// PartitionRevoked is still held, and is to be given up.
	PartitionRevoked PartitionState = "revoked"
	// PartitionAwaited is to be had when nobody else has it.
	PartitionAwaited PartitionState = "awaited"
	// PartitionDue is to be had with the member's next heartbeat.
	PartitionDue PartitionState = "due"
)
