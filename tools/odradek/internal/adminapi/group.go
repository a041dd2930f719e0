package adminapi

// Group is who decided what the members of a group have, and how far they have
// come to it.
type Group struct {
	Group string `json:"group"`
	// Type is classic or consumer.
	Type  string `json:"type"`
	State string `json:"state"`
	// Epoch is the group's, TargetEpoch that of the last decision; both are the
	// generation of a classic group.
	Epoch       int32 `json:"epoch"`
	TargetEpoch int32 `json:"target_epoch"`
	// Assignor is the broker's or, in a classic group, the protocol by which
	// the member Leader decided.
	Assignor string `json:"assignor"`
	Leader   string `json:"leader"`
	// Why is what the last rebalance of a classic group was for.
	Why string `json:"why"`
	// DecidedAtMs is -1 if nothing is decided.
	DecidedAtMs int64 `json:"decided_at_ms"`
	// Known is false if the broker has started since the decision.
	Known bool `json:"known"`
	// Fallback says that Assignor failed and the built-in one decided; Failure
	// why there was no decision since.
	Fallback bool          `json:"fallback"`
	Failure  string        `json:"failure"`
	Members  []GroupMember `json:"members"`
}

// GroupMember is one member.
type GroupMember struct {
	ID         string   `json:"id"`
	Instance   string   `json:"instance"`
	Client     string   `json:"client"`
	Host       string   `json:"host"`
	Rack       string   `json:"rack"`
	Topics     []string `json:"topics"`
	Expression string   `json:"expression"`
	// Assignor is the one that it asks for.
	Assignor string `json:"assignor"`
	Epoch    int32  `json:"epoch"`
	// Kept, Gained and Lost count partitions of the last decision.
	Kept   int `json:"kept"`
	Gained int `json:"gained"`
	Lost   int `json:"lost"`
	// Waits says that it waits for others to join, or for the leader.
	Waits      bool             `json:"waits"`
	Partitions []GroupPartition `json:"partitions"`
}

// GroupPartition is a partition that a member has or is to have.
type GroupPartition struct {
	Topic     string `json:"topic"`
	Partition int32  `json:"partition"`
	// State is held, revoked, awaited or due. Awaited is what Holder has yet to
	// give up.
	State  string `json:"state"`
	Holder string `json:"holder"`
}
