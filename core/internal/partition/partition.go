package partition

import (
	"sync"
	"sync/atomic"
	"time"

	"odradek.dev/core/internal/refusal"
	"odradek.dev/sdk/replication"
	"odradek.dev/sdk/storage"
)

// Partition is this broker's replica of one partition. Safe for concurrent
// use.
//
// Lock order: a Partition's mutex is held when it calls [Appender.Appended] and
// [Waker.Wake]; what they lock comes after it, and they must not call back.
type Partition struct {
	id   storage.ID
	dir  string
	host *host
	// strategy is the name of the one whose machine it runs.
	strategy string
	// log is nil until it could be opened, which may be long after. It is set
	// under mu, before failure is nil for others and the role lets them in.
	log storage.Log

	settings atomic.Pointer[settings]
	role     atomic.Pointer[Role]

	// start <= visible <= end always holds. start is the log start offset,
	// visible the high watermark, end the log end offset. They are written
	// under mu and read by anybody.
	start, visible, end atomic.Int64
	// visibleBytes counts the bytes that became visible since the partition
	// was opened; it only grows.
	visibleBytes atomic.Int64

	mu      sync.Mutex
	machine replication.Machine
	// record is the newest that the machine was given.
	record    replication.Record
	producers producers
	// stateKept is the offset of the newest producer state that the log has, or
	// can do without, and unkept the bytes of the batches after it.
	stateKept, unkept int64
	// failure is why the partition serves no more; nil while it does.
	failure *refusal.Refusal
	// awaitsRoom says that the failure is over once the disk has room for the
	// log to be opened.
	awaitsRoom bool

	// The append in progress: Append sets it, the effects use it.
	proposal proposal
	// events and effects are reused from step to step.
	events  []replication.Event
	effects []replication.Effect
	// appendsFail says that the last append failed.
	appendsFail bool
	// request numbers the proposals.
	request uint64
	// pending are the proposals that are appended and not answered.
	pending map[uint64]pending
	// repeated are duplicates of batches that are not visible yet.
	repeated []repeated
	// growth is what is appended and not visible yet.
	growth growth

	watches watchList
	// marked says that the partition is noted as one whose high watermark has
	// to be kept.
	marked bool
	timers map[string]timer
	// timerNumber numbers the timers.
	timerNumber uint64
	flush       flusher
	// looked and nextExpiryMs are of the last look for segments to delete. They
	// are its own, not under mu.
	looked       looked
	nextExpiryMs int64
	// compacted is compaction's own, not under mu.
	compacted compacted
	// background is the goroutine that syncs, if there is one.
	background sync.WaitGroup
}

// Role is what this replica may do now. It does not change: another role is
// another value.
type Role struct {
	// Leader is a node id, -1 if it is not known.
	Leader int32
	// Epoch is the leader epoch.
	Epoch              int32
	Writable, Readable bool
}

// ID names the partition.
func (p *Partition) ID() storage.ID { return p.id }

// Dir is the directory of log.dirs that the log is in, empty if that is missing.
func (p *Partition) Dir() string { return p.dir }

// Role is what the replica may do now.
func (p *Partition) Role() Role { return *p.role.Load() }

// LogEndOffset is the offset of the next record to be appended.
func (p *Partition) LogEndOffset() int64 { return p.end.Load() }

// HighWatermark is the offset below which readers may see the log.
func (p *Partition) HighWatermark() int64 { return p.visible.Load() }

// LogStartOffset is the first offset of the log.
func (p *Partition) LogStartOffset() int64 { return p.start.Load() }

// Failure is why the partition serves no more, nil while it does.
func (p *Partition) Failure() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failure == nil {
		return nil
	}
	return p.failure
}

// Bytes is the size of the log, 0 when the partition has failed.
func (p *Partition) Bytes() int64 {
	if p.Failure() != nil {
		return 0
	}
	bounds, err := p.log.Bounds(p.host.ctx())
	if err != nil {
		return 0
	}
	return bounds.Bytes
}

func (p *Partition) monotonic(now time.Time) time.Duration { return now.Sub(p.host.began) }
