// Package election is the contract of modules that say who the controller is
// and carry the log of metadata.
//
// The metadata log is a sequence of entries with indexes 1, 2, 3, ... that all
// brokers read alike. One broker at a time leads, under an epoch that grows
// with every change of leader; only entries proposed under the current epoch
// are accepted, so that a leader that was replaced can write nothing more.
package election

import (
	"context"

	"odradek.dev/sdk/module"
)

// Election takes part in one cluster. Safe for concurrent use. Start joins and
// returns when the module takes calls, before there need be a leader.
//
// The host fails closed: without an election there are no metadata changes,
// and no other module steps in.
type Election interface {
	// Append proposes entries under epoch, all of them or none. It returns the
	// index of the last once they are committed: durable, and never lost.
	//
	// [ErrNotLeader] means that this broker does not lead under that epoch,
	// and nothing was written. Any other error leaves the outcome open: the
	// caller learns it by following the log.
	Append(ctx context.Context, epoch int64, entries [][]byte) (last int64, err error)
	// Follow waits until there is something beyond what the caller knows, or
	// the context ends, and answers with committed entries, with a snapshot if
	// the entries are gone, or with a change of leadership alone.
	Follow(ctx context.Context, f Follow) (Update, error)
	// SaveSnapshot hands over the state that entries up to index led to. The
	// module may then forget them.
	SaveSnapshot(ctx context.Context, index int64, state []byte) error
	// Status is for people and metrics.
	Status(ctx context.Context) (Status, error)
}

// Follow says what the caller knows.
type Follow struct {
	// After is the index of the last entry it has applied, 0 for none.
	After int64
	// Leadership is what it was last told.
	Leadership Leadership
	// MaxBytes bounds the entries of the answer, but not below one entry.
	MaxBytes int
}

// Leadership is who leads, and under which epoch.
type Leadership struct {
	// Leader is a node id, -1 if there is none that this broker knows.
	Leader int32
	Epoch  int64
}

// Update answers Follow.
type Update struct {
	Leadership Leadership
	// Snapshot is not nil when the entries after Follow.After are gone: the
	// state takes the place of all entries up to its index.
	Snapshot *Snapshot
	// Entries follow Follow.After, or the snapshot, without a gap.
	Entries []Entry
	// Committed is the index of the last committed entry that the module knows
	// of. A leader has caught up when it has applied the Committed of an
	// update that names it as the leader.
	Committed int64
}

// Entry is one committed entry.
type Entry struct {
	Index int64
	Epoch int64
	// Data must not be modified: the module may hold the same memory.
	Data []byte
}

// Snapshot is the state after all entries up to Index.
type Snapshot struct {
	Index int64
	State []byte
}

// Status describes the module's part in the cluster.
type Status struct {
	Leadership Leadership
	// Voters are the node ids that decide.
	Voters []int32
	// First is the index of the oldest entry that is kept, Committed that of
	// the newest committed one.
	First, Committed int64
}

// ErrNotLeader is what a broker gets that appends under an epoch which is not,
// or no longer, its own. Nothing was written.
var ErrNotLeader = module.NewError(module.Retriable, "election.not_leader", "this broker is not the controller")

// ErrStalled is what a module answers that leads and cannot write for now, for
// want of room on its disk for example. It goes on by itself, under another
// epoch; what is committed it shows all the while. As with any other error, what
// came of the append is learned by following the log.
var ErrStalled = module.NewError(module.Retriable, "election.stalled", "the metadata log takes no change for now")

// Module makes the factory of an election. The descriptor's kind may be left
// empty.
func Module[S module.Settings](d module.Descriptor, defaults func() S, build func(module.Env, S) (Election, error)) module.Factory {
	d.Kind = module.Election
	return module.NewFactory(d, defaults, build)
}
