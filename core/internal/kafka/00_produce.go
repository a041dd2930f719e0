package kafka

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"odradek.dev/core/internal/metadata"
	"odradek.dev/core/internal/partition"
	"odradek.dev/core/internal/refusal"
	"odradek.dev/sdk/clock"
	"odradek.dev/sdk/record"
)

// produceAPI is Produce. The request is decoded by hand where it lies, and its
// batches go to the log from there.
//
//	v5  log start offset in the answer
//	v7  zstd
//	v8  errors of single records, and messages (KIP-467)
//	v9  flexible
//	v10 the current leader with NOT_LEADER_OR_FOLLOWER (KIP-951)
//	v13 topic ids
//
// With acks=0 there is no answer; an error closes the connection, which is how
// such a client learns of it. Transactional batches are refused for now.
func produceAPI() *api {
	return &api{key: 0, name: "Produce", min: 3, max: 13, advertisedMin: 0, flexibleFrom: 9, handle: produce}
}

// firstZstdVersion is the first whose clients know zstd.
const firstZstdVersion = 7

// produceCall is one Produce request. It is reused, and when it waits for
// replicas it is what the partitions answer to.
type produceCall struct {
	slot
	version       int16
	correlation   int32
	acks          int16
	timeoutMs     int32
	transactional bool
	requested[producePartition]
	// open counts the partitions that are not decided, and 1 while execute
	// runs.
	open atomic.Int32

	// mu guards the outcomes from the moment that the call waits.
	mu    sync.Mutex
	timer clock.Timer
}

// byID: the version names topics by their ids.
func (p *produceCall) byID() bool { return p.version >= 13 }

type producePartition struct {
	index   int32
	decided bool
	records []byte
	outcome partition.Appended
}

var produceCalls = sync.Pool{New: func() any { return new(produceCall) }}

func produce(c *connection, r *request) error {
	p := produceCalls.Get().(*produceCall)
	if err := p.decode(r); err != nil {
		p.release()
		return malformed(r, err)
	}
	p.execute(c.server.backend)
	if p.acks == 0 {
		return p.finishUnanswered(c, r)
	}
	if p.open.Load() == 1 {
		out, nodes := c.begin(r), c.endpoints()
		out.buf = p.encode(out.buf, &nodes)
		p.release()
		return c.answered(r, out)
	}
	return p.wait(c, r)
}

// execute appends what may be appended. A batch that is no batch has the whole
// request refused, before anything of it is looked at.
func (p *produceCall) execute(b *Backend) {
	p.open.Store(1)
	if p.corrupt() {
		for j := range p.partitions {
			p.partitions[j].outcome, p.partitions[j].decided = refusedAppend(corruptFrame), true
		}
		return
	}
	for i := range p.topics {
		t := &p.topics[i]
		unknown := t.resolve(b.Partitions, p.byID())
		for j := t.first; j < t.end; j++ {
			part := &p.partitions[j]
			refused := unknown
			if refused == nil {
				refused = p.append(t, part, j)
			}
			if refused != nil {
				part.outcome = refusedAppend(refused)
				part.decided = true
			}
		}
	}
}

func (p *produceCall) corrupt() bool {
	for j := range p.partitions {
		if corrupt(p.partitions[j].records) {
			return true
		}
	}
	return false
}

// append hands one partition its batch.
func (p *produceCall) append(t *namedTopic, part *producePartition, tag int) *refusal.Refusal {
	to, missing := partitionOf(t.topic, part.index)
	if missing == unknownPartition {
		return missing
	}
	batch, refused := p.acceptable(part.records)
	switch {
	case refused != nil:
		return refused
	case metadata.IsInternal(t.topic.Name):
		// Kafka excepts the client id __admin_client, which anybody may call
		// himself; one record that is none of ours and the groups cannot be read.
		return internalTopic
	case missing != nil:
		return missing
	}
	var answer partition.Appender
	if p.acks != 0 {
		answer = p
	}
	// Counted before, since the answer may come before Append returns.
	p.open.Add(1)
	outcome, decided := to.Append(batch, p.acks, answer, tag)
	if decided || p.acks == 0 {
		p.open.Add(-1)
		part.outcome, part.decided = outcome, true
	}
	return nil
}

// acceptable is the one batch of a partition, if the request and its version allow
// it, whatever the topic. Too few bytes behind it for another one are cut off.
func (p *produceCall) acceptable(records []byte) (batch record.Batch, refused *refusal.Refusal) {
	size, whole := frameOf(records)
	switch {
	case !whole:
		return nil, noBatch
	case records[magicAt] != 2:
		return nil, oldFormat
	}
	batch = record.Batch(records[:size:size])
	rest := records[size:]
	switch _, another := frameOf(rest); {
	case batch.Compression() == zstdAttribute && p.version < firstZstdVersion:
		return nil, noZstd
	case corrupt(rest):
		return nil, corruptFrame
	case another:
		return nil, severalBatches
	case p.acks < -1 || p.acks > 1:
		return nil, invalidAcks
	case p.transactional || batch.Transactional():
		return nil, noTransactions
	}
	return batch, nil
}

// finishUnanswered is for acks=0.
func (p *produceCall) finishUnanswered(c *connection, r *request) error {
	defer p.release()
	seen := r.observation()
	c.observe(&seen, 0)
	for i := range p.partitions {
		if refused := p.partitions[i].outcome.Refusal; refused != nil {
			return fmt.Errorf("a produce with acks=0 was refused, which only closing can tell: %w", refused)
		}
	}
	return nil
}

// wait keeps a place for the answer until all partitions have decided, or the
// request's time is up.
func (p *produceCall) wait(c *connection, r *request) error {
	for i := range p.topics {
		p.topics[i].detach()
	}
	for i := range p.partitions {
		p.partitions[i].records = nil
	}
	if err := c.wait(r, &p.slot, p); err != nil {
		return err
	}
	p.mu.Lock()
	after := time.Duration(max(p.timeoutMs, 0)) * time.Millisecond
	p.timer = c.server.backend.Clock.AfterFunc(after, p.timeUp)
	p.mu.Unlock()
	if p.open.Add(-1) == 0 {
		c.waiting.ready(&p.slot)
	}
	return nil
}

// Appended is called by a partition that decided later.
func (p *produceCall) Appended(tag int, a partition.Appended) {
	p.mu.Lock()
	part := &p.partitions[tag]
	late := part.decided
	if !late {
		part.outcome, part.decided = a, true
	}
	p.mu.Unlock()
	if !late && p.open.Add(-1) == 0 {
		p.conn.waiting.ready(&p.slot)
	}
}

// timeUp answers for the partitions that have not decided.
func (p *produceCall) timeUp() {
	p.mu.Lock()
	undecided := int32(0)
	for i := range p.partitions {
		if part := &p.partitions[i]; !part.decided {
			part.outcome, part.decided = refusedAppend(timedOut), true
			undecided++
		}
	}
	p.mu.Unlock()
	if undecided > 0 && p.open.Add(-undecided) == 0 {
		p.conn.waiting.ready(&p.slot)
	}
}

// hurry changes nothing: the batches are appended, and only the partitions
// know what became of them.
func (p *produceCall) hurry() {}

// done leaves the call to the collector, as abandon does: its timer, or a
// partition that answers after the time was up, may be about to look at it.
func (p *produceCall) done() { p.abandon() }

func (p *produceCall) respond(out *outbound) int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	out.begin(p.correlation, p.version >= 9)
	nodes := p.conn.endpoints()
	out.buf = p.encode(out.buf, &nodes)
	return out.end()
}

func (p *produceCall) abandon() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.timer != nil {
		p.timer.Stop()
	}
}

// release gives a call back that nobody else has seen.
func (p *produceCall) release() {
	if !p.reset() {
		return
	}
	p.slot, p.timer = slot{}, nil
	produceCalls.Put(p)
}

func refusedAppend(r *refusal.Refusal) partition.Appended {
	return partition.Appended{Refusal: r, BaseOffset: -1, LogAppendTimeMs: -1, LogStartOffset: -1, Leader: -1, Epoch: -1}
}
