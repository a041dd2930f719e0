package partition

import (
	"time"

	"github.com/twmb/franz-go/pkg/kerr"

	"odradek.dev/core/internal/refusal"
	"odradek.dev/sdk/record"
	"odradek.dev/sdk/replication"
	"odradek.dev/sdk/storage"
)

// Appender is told how an append ended that was still open when
// [Partition.Append] returned. The call comes under the partition's mutex: it
// must not block, nor call the partition.
type Appender interface {
	Appended(tag int, a Appended)
}

// Appended is how an append ended.
type Appended struct {
	// Refusal is nil if the batches are in the log. When it says that there
	// were not enough replicas after the append, they may be or not.
	Refusal *refusal.Refusal
	// BaseOffset is that of the first batch; -1 when the strategy answers
	// before it is known.
	BaseOffset int64
	// LogAppendTimeMs is the time of the records if the broker gave it to
	// them, the largest timestamp of a batch that was there already, else -1.
	LogAppendTimeMs int64
	// LogStartOffset is -1 with some refusals.
	LogStartOffset int64
	// Leader and Epoch are hints for a client whose broker does not lead.
	Leader, Epoch int32
}

// proposal is the append in progress. It lives only within one Append.
type proposal struct {
	checked  checked
	request  uint64
	now      time.Time
	appended bool
	answered bool
	outcome  Appended
}

// pending is an append that waits for the strategy's answer.
type pending struct {
	to         Appender
	tag        int
	outcome    Appended
	lastOffset int64
}

func (w pending) tell(a Appended) {
	if w.to != nil {
		w.to.Appended(w.tag, a)
	}
}

// repeated is a duplicate whose first copy is not visible yet: it is answered
// when that is, so that a retry never promises more than the first try.
type repeated struct {
	pending
}

// Append validates whole batches and proposes them, or others in their place if
// the topic's compression.type wants that. They are changed in place (base offset,
// leader epoch, the broker's timestamps) and not kept. If decided
// is false, the answer comes later by to, with tag; to may be nil if nobody
// wants it.
func (p *Partition) Append(batches []byte, acks int16, to Appender, tag int) (outcome Appended, decided bool) {
	rules := &p.settings.Load().rules
	now := p.host.Clock.Now()
	checked, refused := rules.check(batches, now.UnixMilli())
	if refused != nil {
		return p.refused(refused), true
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	duplicate, refused := p.admit(&checked, now)
	switch {
	case refused != nil:
		return p.refused(refused), true
	case duplicate != nil:
		return p.repeat(duplicate, acks, to, tag)
	}
	p.request++
	p.proposal = proposal{checked: checked, request: p.request, now: now}
	p.proposal.outcome = Appended{BaseOffset: -1, LogAppendTimeMs: -1, Leader: -1, Epoch: -1}
	if rules.logAppendTime {
		p.proposal.outcome.LogAppendTimeMs = now.UnixMilli()
	}
	p.step(now, replication.Event{Kind: replication.EventPropose, Request: p.request, Acks: acks})
	return p.settle(to, tag)
}

// admit says whether checked batches may be proposed at all.
func (p *Partition) admit(c *checked, now time.Time) (*sequenced, *refusal.Refusal) {
	switch {
	case p.failure != nil:
		return nil, p.failure
	case !p.Role().Writable:
		return nil, errNotLeader
	case c.sequenced == nil:
		return nil, nil
	}
	return p.producers.check(c.sequenced, now.UnixMilli())
}

// settle ends the append in progress: its outcome, or a place among those that
// wait for one.
func (p *Partition) settle(to Appender, tag int) (Appended, bool) {
	done := p.proposal
	p.proposal = proposal{}
	switch {
	case done.answered:
		return done.outcome, true
	case p.failure != nil:
		return p.refused(p.failure), true
	case !done.appended:
		p.fail(errUnanswered)
		return p.refused(p.failure), true
	}
	if p.pending == nil {
		p.pending = make(map[uint64]pending)
	}
	p.pending[done.request] = pending{to: to, tag: tag, outcome: done.outcome, lastOffset: p.end.Load() - 1}
	return Appended{}, false
}

// repeat answers a batch that is in the log already as its first copy was, or
// will be.
func (p *Partition) repeat(s *sequenced, acks int16, to Appender, tag int) (Appended, bool) {
	outcome := Appended{
		BaseOffset: s.baseOffset(), LogAppendTimeMs: s.timestamp, LogStartOffset: p.start.Load(), Leader: -1, Epoch: -1,
	}
	if acks != -1 || s.lastOffset < p.visible.Load() {
		return outcome, true
	}
	p.repeated = append(p.repeated, repeated{pending{to: to, tag: tag, outcome: outcome, lastOffset: s.lastOffset}})
	return Appended{}, false
}

func (p *Partition) refused(r *refusal.Refusal) Appended {
	outcome := Appended{Refusal: r, BaseOffset: -1, LogAppendTimeMs: -1, LogStartOffset: p.start.Load(), Leader: -1, Epoch: -1}
	switch r.Kind {
	case kerr.NotLeaderForPartition:
		role := p.Role()
		outcome.Leader, outcome.Epoch, outcome.LogStartOffset = role.Leader, role.Epoch, -1
	case kerr.UnknownTopicOrPartition, kerr.KafkaStorageError, kerr.MessageTooLarge, kerr.RecordListTooLarge, kerr.CorruptMessage:
		outcome.LogStartOffset = -1 // Kafka tells it with all other refusals
	}
	return outcome
}

// carryOutAppend writes the batches of the append in progress and tells the
// machine. A log that cannot be written to any more takes the partition with
// it; an error after which the log is as it was goes to the client.
func (p *Partition) carryOutAppend(e *replication.Effect) {
	if e.Request != p.proposal.request || p.proposal.appended {
		p.fail(errUnknownProposal)
		return
	}
	base := p.end.Load()
	batches := p.proposal.checked.batches
	stamp(batches, base, e.Epoch)
	nowMs := p.proposal.now.UnixMilli()
	done, err := p.log.Append(p.host.ctx(), storage.Append{Batches: batches, Now: nowMs})
	if err != nil {
		p.appendFailed(e.Request, err)
		return
	}
	p.appendsGoOn()
	if done.Rolled >= 0 {
		p.saveProducers(done.Rolled, nowMs)
		p.compactSoon()
	}
	p.proposal.appended = true
	p.proposal.outcome.BaseOffset = base
	p.proposal.outcome.LogStartOffset = p.start.Load()
	if c := &p.proposal.checked; c.sequenced != nil {
		p.producers.apply(c.sequenced, nowMs)
	}
	p.end.Store(done.End)
	p.unkept += int64(len(batches))
	p.growth.appended(done.End, int64(len(batches)))
	p.flush.appended(p, p.proposal.checked.records)
	p.events = append(p.events, replication.Event{
		Kind: replication.EventAppended, Request: e.Request, Base: base, End: done.End, Epoch: e.Epoch,
	})
}

// stamp writes what the leader writes into batches: offsets that go on from
// base, and the leader epoch. The checksum covers neither.
func stamp(batches []byte, base int64, epoch int32) {
	for rest := batches; len(rest) > 0; {
		batch, after, _ := record.Next(rest)
		batch.SetBaseOffset(base)
		batch.SetLeaderEpoch(epoch)
		base += int64(batch.LastOffsetDelta()) + 1
		rest = after
	}
}
