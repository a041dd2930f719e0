package replication

import (
	"time"

	"odradek.dev/sdk/module"
)

// EffectKind says which fields of an [Effect] have a meaning.
type EffectKind uint8

// The effects. Fields that are not named for an effect are zero.
const (
	// EffectAppend: write the batches of a proposal at the log's end, under an
	// epoch. Request, Epoch. Answered with EventAppended or EventAppendFailed,
	// in the same call of the host and before anything else.
	EffectAppend EffectKind = iota + 1
	// EffectAccept: append the bytes that came with the message of this step.
	EffectAccept
	// EffectTruncate: remove the log from Offset on. The host refuses it below
	// what was visible.
	EffectTruncate
	// EffectSync: make the log durable. Answered with EventDurable, later.
	EffectSync
	// EffectPutHard: keep Payload; durable before the next effect.
	EffectPutHard
	// EffectSend: send Payload to Peer. May be lost, doubled or late.
	EffectSend
	// EffectSendRange: send Payload to Peer with the log bytes of Range, or of
	// as many of its first batches as the host sends at once; the range that
	// arrives is the one that was sent.
	EffectSendRange
	// EffectAck: answer proposal Request: Err, or Offset as its base offset; -1
	// for an answer before the offset is known.
	EffectAck
	// EffectVisible: readers may see the log below Offset: the high watermark.
	EffectVisible
	// EffectRole: what this replica may do. Leader (a hint for clients, -1 if
	// unknown), Epoch, Writable, Readable.
	EffectRole
	// EffectPutRecord: change the partition's record to Record, if its version
	// still is one less. Answered with EventRecord or EventRecordRefused.
	EffectPutRecord
	// EffectTimer: send EventTimer with Tag after After; an earlier one with
	// the same tag is forgotten. After < 0 only forgets.
	EffectTimer
	// EffectReadGate answers EventReadGate: Request, Err if not.
	EffectReadGate
	// EffectSealed answers EventSeal: Epoch, Offset of the end.
	EffectSealed
	// EffectResign: give up leading; the controller elects another.
	EffectResign
	// EffectTrace: Tag and Offset go to metrics and diagrams.
	EffectTrace
	// EffectRestart: throw the whole log away and begin an empty one at Offset,
	// which is not below its end. Answered with EventInstalled.
	EffectRestart
)

// Effect is one thing for the host to do.
type Effect struct {
	Kind     EffectKind
	Request  uint64
	Epoch    int32
	Peer     int32
	Leader   int32
	Offset   int64
	After    time.Duration
	Tag      string
	Payload  []byte
	Range    Range
	Record   *Record
	Writable bool
	Readable bool
	Err      error
}

// The acknowledgement errors that clients are told apart by. In brackets the
// code of the Kafka protocol.
var (
	// ErrNotLeader: this replica may not write (NOT_LEADER_OR_FOLLOWER).
	ErrNotLeader = module.NewError(module.Retriable, "replication.not_leader", "this replica does not lead the partition")
	// ErrNotEnoughReplicas: nothing was written (NOT_ENOUGH_REPLICAS).
	ErrNotEnoughReplicas = module.NewError(module.Retriable, "replication.not_enough_replicas", "fewer in-sync replicas than min.insync.replicas")
	// ErrNotEnoughReplicasAfterAppend: it was written, and may survive or not
	// (NOT_ENOUGH_REPLICAS_AFTER_APPEND).
	ErrNotEnoughReplicasAfterAppend = module.NewError(module.Retriable, "replication.not_enough_replicas_after_append", "the in-sync replicas became fewer than min.insync.replicas after the write")
	// ErrSealed: the strategy was told to accept no more.
	ErrSealed = module.NewError(module.Retriable, "replication.sealed", "the partition is sealed")
)
