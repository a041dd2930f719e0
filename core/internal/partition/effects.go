package partition

import (
	"errors"
	"fmt"
	"time"

	"odradek.dev/core/internal/refusal"
	"odradek.dev/sdk/module"
	"odradek.dev/sdk/replication"
)

var (
	errUnanswered      = errors.New("the replication strategy neither appended nor answered a proposal")
	errUnknownProposal = errors.New("the replication strategy appended a proposal that was not made in this step")
)

// step gives the machine one event, carries out its effects, and goes on with
// the events that these lead to until there is none. mu is held.
func (p *Partition) step(now time.Time, e replication.Event) {
	p.events = append(p.events[:0], e)
	for len(p.events) > 0 && p.failure == nil {
		effects, err := p.machine.Step(p.monotonic(now), p.events, p.effects[:0])
		p.events, p.effects = p.events[:0], effects
		if err != nil {
			p.fail(fmt.Errorf("replication strategy: %w", err))
			return
		}
		for i := range effects {
			if p.failure == nil {
				p.carryOut(&effects[i])
			}
		}
	}
}

func (p *Partition) carryOut(e *replication.Effect) {
	switch e.Kind {
	case replication.EffectAppend:
		p.carryOutAppend(e)
	case replication.EffectVisible, replication.EffectAck:
		if p.flush.holds(p, e) {
			return
		}
		p.publish(e)
	case replication.EffectSync:
		p.flush.request(p)
	case replication.EffectRole:
		p.setRole(e)
	case replication.EffectTruncate:
		p.truncate(e.Offset)
	case replication.EffectPutHard:
		if err := p.log.SaveHard(p.host.ctx(), e.Payload); err != nil {
			p.fail(fmt.Errorf("cannot keep the replication state: %w", err))
		}
	case replication.EffectTimer:
		p.setTimer(e.Tag, e.After)
	case replication.EffectTrace:
		p.host.Log.Trace(e.Tag, "topic", p.id.Topic, "partition", p.id.Partition, "offset", e.Offset)
	default:
		// What remains speaks to other replicas or to the controller. A
		// strategy that does so with one replica cannot be relied on.
		p.fail(fmt.Errorf("replication strategy asked for effect %d, which needs other replicas", e.Kind))
	}
}

// publish carries out an effect that is seen outside: an answer to a producer
// or a new high watermark.
func (p *Partition) publish(e *replication.Effect) {
	if e.Kind == replication.EffectAck {
		p.acknowledge(e)
		return
	}
	p.advance(e.Offset)
}

func (p *Partition) acknowledge(e *replication.Effect) {
	if e.Request == p.proposal.request {
		p.proposal.answered = true
		p.proposal.outcome = p.answer(p.proposal.outcome, e)
		return
	}
	waiting, ok := p.pending[e.Request]
	if !ok {
		p.fail(fmt.Errorf("replication strategy answered proposal %d, which is not open", e.Request))
		return
	}
	delete(p.pending, e.Request)
	waiting.tell(p.answer(waiting.outcome, e))
}

func (p *Partition) answer(outcome Appended, e *replication.Effect) Appended {
	if e.Err != nil {
		return p.refused(refusalOf(e.Err))
	}
	outcome.BaseOffset = e.Offset
	return outcome
}

// advance moves the high watermark. It never goes back: what readers saw stays.
func (p *Partition) advance(offset int64) {
	visible := p.visible.Load()
	if offset < visible || offset > p.end.Load() {
		p.fail(fmt.Errorf("replication strategy moved the high watermark to %d; it was %d and the log ends at %d",
			offset, visible, p.end.Load()))
		return
	}
	bytes := p.growth.visible(offset)
	p.visibleBytes.Add(bytes)
	p.visible.Store(offset)
	if !p.marked {
		p.marked = true
		p.host.watermarks.changed(p)
	}
	p.watches.grown(bytes)
	p.answerRepeated(offset)
}

func (p *Partition) answerRepeated(visible int64) {
	kept := p.repeated[:0]
	for _, r := range p.repeated {
		if r.lastOffset < visible {
			r.tell(r.outcome)
		} else {
			kept = append(kept, r)
		}
	}
	clear(p.repeated[len(kept):])
	p.repeated = kept
}

// answerAll tells every producer that waits.
func (p *Partition) answerAll(answer *refusal.Refusal) {
	for _, waiting := range p.pending {
		waiting.tell(p.refused(answer))
	}
	for _, r := range p.repeated {
		r.tell(p.refused(answer))
	}
	p.pending, p.repeated = nil, nil
	p.flush.drop()
}

func (p *Partition) setRole(e *replication.Effect) {
	next := Role{Leader: e.Leader, Epoch: e.Epoch, Writable: e.Writable, Readable: e.Readable}
	last := p.Role()
	p.role.Store(&next)
	if last.Epoch != next.Epoch || last.Readable != next.Readable {
		p.watches.wakeAll()
	}
	if last.Writable && !next.Writable {
		for _, r := range p.repeated {
			r.tell(p.refused(errNotLeader))
		}
		p.repeated = nil
	}
}

// truncate removes the log from offset on. What was visible may be in the
// hands of readers and is not removed.
func (p *Partition) truncate(offset int64) {
	if offset < p.visible.Load() {
		p.fail(fmt.Errorf("replication strategy truncated to %d, below the high watermark %d", offset, p.visible.Load()))
		return
	}
	if err := p.log.Truncate(p.host.ctx(), offset); err != nil {
		p.fail(fmt.Errorf("cannot truncate the log: %w", err))
		return
	}
	p.end.Store(offset)
	p.growth.truncated(offset)
	p.host.files.DropOwner(p)
	if err := p.rebuildProducers(); err != nil {
		p.fail(err)
		return
	}
	p.events = append(p.events, replication.Event{Kind: replication.EventTruncated, End: offset})
}

// appendsGoOn ends a time of failed appends.
func (p *Partition) appendsGoOn() {
	if p.appendsFail {
		p.host.Log.Info("appends go on", "topic", p.id.Topic, "partition", p.id.Partition)
	}
	p.appendsFail = false
}

// appendFailed tells the machine. The log itself decides whether it can go on.
// A full disk fails every append: only the first is logged.
func (p *Partition) appendFailed(request uint64, err error) {
	if module.ClassOf(err) == module.Fatal {
		p.fail(fmt.Errorf("cannot append to the log: %w", err))
		return
	}
	if !p.appendsFail {
		p.host.Log.Warn("append failed, and others may until it is said that they go on",
			"topic", p.id.Topic, "partition", p.id.Partition, "error", err)
	}
	p.appendsFail = true
	p.events = append(p.events, replication.Event{Kind: replication.EventAppendFailed, Request: request, Err: err})
}
