package replication

// EventKind says which fields of an [Event] have a meaning.
type EventKind uint8

// The events. Fields that are not named for an event are zero.
const (
	// EventRecord: the control plane has a new record. Record.
	EventRecord EventKind = iota + 1
	// EventRecordRefused: a PutRecord lost against another change, which is in
	// Record. The host retries until an outcome is certain, so that "unknown"
	// never reaches a machine.
	EventRecordRefused
	// EventPropose: the host has validated batches to write. Request, Acks.
	// It is answered with an Append and later an Ack, or with an Ack alone.
	EventPropose
	// EventAppended: an Append or an Accept was carried out and can be read.
	// Request (of a proposal, or 0), Base, End, Epoch.
	EventAppended
	// EventAppendFailed: it was not, and the log is as it was. Request, Err.
	EventAppendFailed
	// EventDurable: the log survives a power cut up to Offset.
	EventDurable
	// EventTruncated: a Truncate was carried out. End.
	EventTruncated
	// EventMessage: another replica sent a message. Peer, Payload, and Range if
	// it came with log bytes, which the host holds until the step is over.
	EventMessage
	// EventTimer: a timer has run out. Tag.
	EventTimer
	// EventReadGate: may this replica answer a read now? Request.
	EventReadGate
	// EventSeal: accept no more under Epoch and say where the log ends.
	EventSeal
	// EventSnapshotNeeded: Peer asked for what the log no longer has.
	EventSnapshotNeeded
	// EventInstalled: the log was replaced from its Base to its End.
	EventInstalled
	// EventTrimmed: retention raised the log start to Base.
	EventTrimmed
	// EventDegraded: something is slow or full. Tag is "disk-slow",
	// "disk-full", "memory" or "link"; Peer with the last.
	EventDegraded
)

// Event is one thing that happened. It is one struct for all, not an interface
// with a type for each, so that the hot path makes no garbage and a codec for
// the crossing is one message.
type Event struct {
	Kind    EventKind
	Request uint64
	Acks    int16
	Epoch   int32
	Peer    int32
	Base    int64
	End     int64
	Offset  int64
	Tag     string
	Payload []byte
	Range   Range
	Record  *Record
	Err     error
}

// Range is a run of whole batches in a log.
type Range struct {
	// Base is the first offset, End the one after the last. Equal for none.
	Base, End int64
	// Epoch is that of the last batch.
	Epoch int32
}
