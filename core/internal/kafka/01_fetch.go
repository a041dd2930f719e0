package kafka

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/core/internal/partition"
	"odradek.dev/core/internal/refusal"
	"odradek.dev/sdk/clock"
)

// fetchAPI is Fetch. It is decoded by hand; batches go from the log's files to
// the socket without being read.
//
//	v5  log start offset          v7  sessions and an error for the whole
//	v9  leader epoch of the reader v11 rack of the reader
//	v12 flexible                  v13 topic ids
//	v15 replica state             v16 endpoints of leaders (KIP-951)
//
// What a session (KIP-227) does to it stands in fetch_session.go.
//
// A fetch that finds fewer than min_bytes parks: it holds a place in the
// connection's queue and watches its partitions, and costs nothing until one
// of them wakes it or max_wait is over.
func fetchAPI() *api {
	return &api{key: 1, name: "Fetch", min: 4, max: 18, advertisedMin: 4, flexibleFrom: 12, handle: fetch}
}

// fetchCall is one Fetch request. It is reused.
type fetchCall struct {
	slot
	version     int16
	correlation int32
	failure     int16
	maxWaitMs   int32
	minBytes    int32
	maxBytes    int32
	// replica is the id of a broker that copies the log, -1 of a consumer.
	replica   int32
	committed bool
	requested[fetchPartition]
	fetchSession

	// The rest is used only while parked.
	waiter  partition.Waiter
	watches []partition.Watch
	timer   clock.Timer
	// expired says that max_wait is over.
	expired atomic.Bool
}

// byID: the version names topics by their ids.
func (f *fetchCall) byID() bool { return f.version >= 13 }

type fetchPartition struct {
	index int32
	// epoch is the leader epoch that the reader knows, lastEpoch that of the last
	// record which it has; both -1 for none.
	epoch, lastEpoch int32
	offset           int64
	maxBytes         int32
	from             *partition.Partition
	found            partition.Fetched
}

var fetchCalls = sync.Pool{New: func() any { return new(fetchCall) }}

func fetch(c *connection, r *request) error {
	f := fetchCalls.Get().(*fetchCall)
	if err := f.decode(r); err != nil {
		f.release()
		return malformed(r, err)
	}
	b := c.server.backend
	f.maxBytes = min(f.maxBytes, b.Config.FetchMaxBytes)
	f.enterSession(c.server)
	found, enough := f.read()
	if !enough {
		return f.park(c, r, found)
	}
	f.leaveSession(c.server)
	out, nodes := c.begin(r), c.endpoints()
	f.encode(out, &nodes)
	f.release()
	return c.answered(r, out)
}

// resolve finds the partitions. A partition that is not to be had is refused.
func (f *fetchCall) resolve(partitions *partition.Registry) {
	for i := range f.topics {
		t := &f.topics[i]
		unknown := t.resolve(partitions, f.byID())
		for j := t.first; j < t.end; j++ {
			part := &f.partitions[j]
			refused := unknown
			if refused == nil {
				part.from, refused = partitionOf(t.topic, part.index)
			}
			if refused != nil {
				part.found = refusedFetch(refused)
			}
		}
	}
}

// read asks every partition. It returns how many bytes there are, and whether
// that is an answer: min_bytes, an error, or all that a partition may give. A
// partition that does not exist is no cause to answer while another is read.
func (f *fetchCall) read() (found int64, enough bool) {
	enough = f.failure != 0 || f.maxWaitMs <= 0
	left, none := int64(f.maxBytes), true
	for i := range f.partitions {
		part := &f.partitions[i]
		if part.from == nil {
			enough = enough || !part.unknown()
			continue
		}
		none = false
		room := min(int64(part.maxBytes), left)
		if found == 0 {
			// The first batch comes whole, however small the limits (KIP-74).
			room = max(room, 1)
		}
		f.readPartition(part, room)
		got := part.found.Chunk.Bytes()
		if got > room && found > 0 {
			part.found.Chunk.Extents = nil
			got, enough = 0, true
		}
		if part.found.Refusal != nil {
			// A client is told of no offsets together with an error, as by Kafka.
			part.found.HighWatermark, part.found.LogStartOffset = -1, -1
		}
		enough = enough || part.found.Refusal != nil || part.found.Diverging != nil || got >= int64(part.maxBytes)
		found += got
		left -= got
	}
	return found, enough || none || found >= int64(f.minBytes) || left <= 0
}

// readPartition reads for consumers. The replicas of a partition copy it by what
// their strategy says, not by this.
func (f *fetchCall) readPartition(part *fetchPartition, room int64) {
	if f.replica >= 0 {
		part.found = part.notReplica()
		return
	}
	if part.lastEpoch >= 0 {
		if found, diverged := part.from.Diverged(part.offset, part.epoch, part.lastEpoch); diverged {
			part.found = found
			return
		}
	}
	part.found = part.from.Read(part.offset, part.epoch, room)
}

func (p *fetchPartition) notReplica() partition.Fetched {
	refused := p.from.MayRead(p.epoch)
	switch {
	case refused != nil:
	case p.epoch >= 0:
		refused = noReplicaYet
	default:
		refused = noReplica
	}
	return refusedFetch(refused).WithLeader(p.from.Role())
}

func (p *fetchPartition) unknown() bool {
	kind := p.found.Refusal.Kind
	return kind == kerr.UnknownTopicOrPartition || kind == kerr.UnknownTopicID
}

// park waits for more.
func (f *fetchCall) park(c *connection, r *request, found int64) error {
	f.expired.Store(false)
	for i := range f.topics {
		f.topics[i].detach()
	}
	if cap(f.watches) < len(f.partitions) {
		f.watches = make([]partition.Watch, len(f.partitions))
	}
	f.watches = f.watches[:len(f.partitions)]
	if err := c.wait(r, &f.slot, f); err != nil {
		f.release()
		return err
	}
	wait := time.Duration(f.maxWaitMs) * time.Millisecond
	f.timer = c.server.backend.Clock.AfterFunc(wait, f.timeUp)
	f.watch(found)
	return nil
}

// watch registers with the partitions. The waiter is held meanwhile: once it
// has fired, another goroutine has the call.
func (f *fetchCall) watch(found int64) {
	f.waiter.Hold(f, int64(f.minBytes)-found)
	for i := range f.partitions {
		part := &f.partitions[i]
		if part.from == nil {
			continue
		}
		room := int64(part.maxBytes) - part.found.Chunk.Bytes()
		part.from.Watch(&f.watches[i], &f.waiter, part.found.Seen, room)
	}
	if f.expired.Load() {
		f.waiter.Fire()
	}
	f.waiter.Release()
}

// Wake is called under a partition's lock.
func (f *fetchCall) Wake() { f.conn.waiting.ready(&f.slot) }

func (f *fetchCall) timeUp() {
	f.expired.Store(true)
	f.waiter.Fire()
}

// hurry has the call answered with what there is. It may come late and meet
// another request, which then is answered early.
func (f *fetchCall) hurry() { f.timeUp() }

// respond reads once more, and parks again if that was for nothing.
func (f *fetchCall) respond(out *outbound) int64 {
	f.unwatch()
	found, enough := f.read()
	if !enough && !f.expired.Load() {
		f.conn.waiting.unready(&f.slot)
		f.watch(found)
		return 0
	}
	f.leaveSession(f.conn.server)
	nodes := f.conn.endpoints()
	out.begin(f.correlation, f.version >= 12)
	f.encode(out, &nodes)
	return out.end()
}

// done gives the call back. One whose timer could not be stopped any more is
// left to the collector, since the timer may be about to look at it.
func (f *fetchCall) done() {
	if f.timer.Stop() {
		f.release()
	}
}

func (f *fetchCall) unwatch() {
	for i := range f.watches {
		if from := f.partitions[i].from; from != nil {
			from.Unwatch(&f.watches[i])
		}
	}
}

func (f *fetchCall) abandon() {
	f.unwatch()
	f.done()
}

func (f *fetchCall) release() {
	if !f.reset() {
		return
	}
	clear(f.watches)
	f.watches = f.watches[:0]
	f.slot, f.timer, f.failure = slot{}, nil, 0
	f.clean()
	fetchCalls.Put(f)
}

func refusedFetch(r *refusal.Refusal) partition.Fetched {
	return partition.Fetched{Refusal: r, HighWatermark: -1, LogStartOffset: -1, Leader: -1, Epoch: -1}
}
