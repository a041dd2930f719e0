package isr

import (
	"slices"

	"odradek.dev/sdk/module"
	"odradek.dev/sdk/replication"
)

func (m *Machine) lead() {
	m.leader.epochStart = m.log.end
	m.leader.peers = nil
	m.leader.resigned = false
	m.leader.keepPeers(m)
	m.settle()
}

func (m *Machine) propose(request uint64, acks int16) {
	switch {
	case acks != acksAll && acks != acksNone && acks != acksLeader:
		m.ack(request, -1, module.Invalidf("acks is %d: it must be -1, 0 or 1", acks))
	case m.role != roleLeader:
		m.ack(request, -1, replication.ErrNotLeader)
	case m.isSealed():
		m.ack(request, -1, replication.ErrSealed)
	case acks == acksAll && !m.enoughInSync():
		m.ack(request, -1, replication.ErrNotEnoughReplicas)
	default:
		m.appending.push(proposal{request: request, acks: acks})
		m.emit(replication.Effect{Kind: replication.EffectAppend, Request: request, Epoch: m.record.LeaderEpoch})
	}
}

// written goes on with a proposal that is in the log now.
func (m *Machine) written(p proposal) {
	if m.role != roleLeader {
		m.ack(p.request, -1, replication.ErrNotLeader)
		return
	}
	if p.acks == acksAll {
		m.waiting.push(p)
	} else {
		m.ack(p.request, p.base, nil)
	}
	m.settle()
}

func (m *Machine) ack(request uint64, base int64, err error) {
	m.emit(replication.Effect{Kind: replication.EffectAck, Request: request, Offset: base, Err: err})
}

func (m *Machine) failWaiting(err error) {
	for m.waiting.len() > 0 {
		m.ack(m.waiting.pop().request, -1, err)
	}
}

// settle draws the conclusions from whatever changed for a leader.
func (m *Machine) settle() {
	m.advance()
	for i := range m.leader.peers {
		if p := &m.leader.peers[i]; p.parked {
			m.serve(p)
		}
	}
	m.changeInSync()
	if !m.leader.timing && m.anyLags() {
		m.startTimer(timerLag, &m.leader.timing, m.config.fetchWaitMax())
	}
}

// enoughInSync compares with min.insync.replicas, of which a partition with
// fewer replicas can only ask for all (KIP-966).
func (m *Machine) enoughInSync() bool {
	return len(m.record.InSync) >= min(int(m.record.MinInSync), len(m.record.Replicas))
}

// advance raises the high watermark to what the whole maximal in-sync set has
// written, and answers what waited for it.
func (m *Machine) advance() {
	if !m.enoughInSync() {
		m.failWaiting(replication.ErrNotEnoughReplicasAfterAppend)
		return
	}
	least := m.safe()
	for i := range m.leader.peers {
		if p := &m.leader.peers[i]; m.counts(p.id) {
			least = min(least, p.safe)
		}
	}
	m.raise(least)
	for m.waiting.len() > 0 && m.waiting.front().end <= m.hw {
		p := m.waiting.pop()
		m.ack(p.request, p.base, nil)
	}
}

// counts reports whether a replica is in the maximal in-sync set. A change
// under way may already have happened or never happen: both must be safe.
func (m *Machine) counts(id int32) bool {
	return slices.Contains(m.record.InSync, id) || m.pending != nil && slices.Contains(m.pending.InSync, id)
}

// changeInSync asks for another in-sync set where it ought to be one. There is
// one change under way at a time.
func (m *Machine) changeInSync() {
	if m.pending != nil {
		return
	}
	changed := false
	for i := range m.leader.peers {
		p := &m.leader.peers[i]
		in := slices.Contains(m.record.InSync, p.id)
		changed = changed || in && m.mustLeave(p) || !in && m.mayJoin(p)
	}
	if !changed {
		return
	}
	next := clone(m.record)
	next.Version++
	next.InSync = next.InSync[:0]
	for _, id := range m.record.Replicas {
		p := m.leader.peer(id)
		in := slices.Contains(m.record.InSync, id)
		if p == nil && in || p != nil && (in && !m.mustLeave(p) || !in && m.mayJoin(p)) {
			next.InSync = append(next.InSync, id)
		}
	}
	m.pending = &next
	asked := clone(next)
	m.emit(replication.Effect{Kind: replication.EffectPutRecord, Record: &asked})
}

// mustLeave: it has not caught up for too long, or it lost what it once had.
func (m *Machine) mustLeave(p *peer) bool {
	if p.fetched && p.safe < m.hw {
		return true
	}
	return p.safe < m.log.end && m.now-p.caughtUp >= m.config.lagTimeMax()
}

// mayJoin: it has all that is committed, which may be more than this leader
// knows to be: the high watermark of a new leader is behind, but not its log.
func (m *Machine) mayJoin(p *peer) bool {
	return p.fetched && p.safe >= m.hw && p.safe >= m.leader.epochStart &&
		m.now-p.caughtUp < m.config.lagTimeMax()
}

// anyLags: a follower that is to be waited for is behind.
func (m *Machine) anyLags() bool {
	for i := range m.leader.peers {
		if m.lags(&m.leader.peers[i]) {
			return true
		}
	}
	return false
}

func (m *Machine) lags(p *peer) bool {
	heard := p.fetched && m.now-p.lastFetch < m.config.lagTimeMax()
	return p.safe < m.log.end && (heard || m.counts(p.id))
}

// watch is the lag timer: it asks followers whose answer is overdue, and lets
// those go that do not keep up.
func (m *Machine) watch() {
	for i := range m.leader.peers {
		p := &m.leader.peers[i]
		if m.lags(p) && m.now-p.lastFetch >= m.config.fetchWaitMax() {
			m.send(p.id, message{kind: messageAsk})
		}
	}
	m.settle()
}

func (m *Machine) send(to int32, msg message) {
	msg.epoch = m.record.LeaderEpoch
	m.emit(replication.Effect{Kind: replication.EffectSend, Peer: to, Payload: msg.encode()})
}

func (m *Machine) hearFollower(from int32, msg message) {
	p := m.leader.peer(from)
	if p == nil || p.late(msg) {
		return
	}
	switch msg.kind {
	case messageFetch:
		m.hearFetch(p, msg)
	case messageProgress:
		// Only of what a fetch has shown to agree.
		p.safe = max(p.safe, min(msg.safe, p.end))
		if p.safe >= m.log.end {
			p.caughtUp = m.now
		}
		m.settle()
	}
}

func (m *Machine) hearFetch(p *peer, msg message) {
	switch {
	case msg.offset < m.log.start:
		m.refuse(p)
	case m.log.agrees(msg.offset, msg.lastEpoch):
		p.progress(m.now, msg, m.log.end)
		p.parked = true
		m.settle()
	case msg.offset == m.log.start:
		m.refuse(p)
	default:
		epoch, end := m.log.endOfEpoch(msg.lastEpoch)
		m.answer(p, message{kind: messageDiverging, lastEpoch: epoch, offset: end})
	}
}

// refuse tells a follower to begin again where this log begins.
func (m *Machine) refuse(p *peer) {
	m.answer(p, message{kind: messageRestart, offset: m.log.start})
}

// answer sends what belongs to the last fetch of a follower.
func (m *Machine) answer(p *peer, msg message) {
	msg.session, msg.sequence = p.session, p.asked
	m.send(p.id, msg)
}

// serve answers a parked fetch if there is something to tell. A range is of
// one epoch, so that the follower learns where each epoch began.
func (m *Machine) serve(p *peer) {
	switch {
	case p.end < m.log.start:
		p.parked = false
		m.refuse(p)
		return
	case p.end == m.log.end && p.hw >= m.hw:
		return
	}
	msg := message{kind: messageData, epoch: m.record.LeaderEpoch, hw: m.hw, session: p.session, sequence: p.asked}
	e := replication.Effect{Kind: replication.EffectSend, Peer: p.id, Payload: msg.encode()}
	if p.end < m.log.end {
		epoch, end := m.log.runFrom(p.end)
		e.Kind, e.Range = replication.EffectSendRange, replication.Range{Base: p.end, End: end, Epoch: epoch}
	}
	p.parked, p.hw = false, m.hw
	m.emit(e)
}

func (m *Machine) snapshotNeeded(id int32) {
	if p := m.leader.peer(id); p != nil && m.role == roleLeader {
		m.refuse(p)
	}
}

// readGate lets a read pass that must not miss what an earlier leader showed.
func (m *Machine) readGate(request uint64) {
	e := replication.Effect{Kind: replication.EffectReadGate, Request: request}
	switch {
	case m.role != roleLeader:
		e.Err = replication.ErrNotLeader
	case m.hw < m.leader.epochStart:
		e.Err = module.Retriablef("the high watermark %d has not reached the start of leader epoch %d at %d",
			m.hw, m.record.LeaderEpoch, m.leader.epochStart)
	}
	m.emit(e)
}

// degraded gives up the lead where another replica can have it.
func (m *Machine) degraded(tag string) {
	slow := tag == "disk-slow" || tag == "disk-full"
	if slow && m.role == roleLeader && len(m.record.InSync) > 1 && !m.leader.resigned {
		m.leader.resigned = true
		m.emit(replication.Effect{Kind: replication.EffectResign})
	}
}
