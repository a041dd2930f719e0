package replication

import (
	"context"
	"time"

	"odradek.dev/sdk/module"
)

// Strategy is what a replication module offers. Safe for concurrent use.
//
// The host fails closed: a partition whose machine errs stops serving.
type Strategy interface {
	// Contract declares what the strategy promises. It does not change.
	Contract() Contract
	// Open makes the machine of one replica of one partition.
	Open(ctx context.Context, start Start) (Machine, error)
	// Elect is pure. Given the record of a partition and which nodes are
	// alive, it returns the record as it ought to be; the controller writes it
	// if it differs. Versions and epochs of what it returns only grow.
	Elect(ctx context.Context, record Record, live Liveness) (Record, error)
}

// Machine is one replica. It is called by one caller at a time.
type Machine interface {
	// Step takes events in order and appends the effects to out, in the order
	// in which the host is to carry them out. now is monotonic, counted from
	// an arbitrary moment before Open.
	//
	// The first Step also gives what follows from the [Start], the role first
	// of all; a host makes it without events right after Open.
	Step(now time.Duration, events []Event, out []Effect) ([]Effect, error)
}

// Contract is what a strategy promises; tests hold it to exactly that.
type Contract struct {
	// Tolerates says which failures no acknowledged record is lost to.
	Tolerates string
	// NeedsFsync: what an acknowledgement means rests on Sync.
	NeedsFsync bool
	// AckMeans and ReadMeans are one sentence each, for people.
	AckMeans, ReadMeans string
	// ElectsItself: leaders come from the machine, and Elect changes nothing.
	ElectsItself bool
	// OrderedAcks: proposals are acknowledged in the order they were made.
	OrderedAcks bool
	// FollowerRead: replicas that do not lead may be readable.
	FollowerRead bool
}

// Record is what the control plane knows of a partition. Every replica gets
// each version of it.
type Record struct {
	// Version grows with every change.
	Version int64
	// Leader is a node id, -1 for none.
	Leader int32
	// LeaderEpoch grows with every change of leader, and with every restart of
	// the leader.
	LeaderEpoch int32
	// Replicas is in the order of preference.
	Replicas []int32
	// InSync is the strategy's active set; the in-sync replicas of isr.
	InSync []int32
	// MinInSync is the topic's min.insync.replicas.
	MinInSync int32
	// Opaque is the strategy's own.
	Opaque []byte
}

// Liveness is which nodes are alive, in ascending order.
type Liveness struct {
	Nodes []int32
}

// Start is what a machine knows when it begins.
type Start struct {
	Self   int32
	Record Record
	Log    LogView
	// Hard is what the last PutHard kept, nil if none was.
	Hard []byte
	// Seed starts the machine's random numbers.
	Seed uint64
}

// LogView is the replica's own log as the host recovered it.
type LogView struct {
	// Start is the first offset, Durable survives a power cut, End is the next
	// to be written.
	Start, Durable, End int64
	// Epochs is the leader epochs in the log, ascending.
	Epochs []EpochStart
}

// EpochStart says at which offset a leader epoch began.
type EpochStart struct {
	Epoch int32
	Start int64
}

// Module makes the factory of a strategy. The descriptor's kind may be left
// empty.
func Module[S module.Settings](d module.Descriptor, defaults func() S, build func(module.Env, S) (Strategy, error)) module.Factory {
	d.Kind = module.Replication
	return module.NewFactory(d, defaults, build)
}
