package isr

import (
	"encoding/binary"
	"slices"
	"time"

	"odradek.dev/sdk/module"
	"odradek.dev/sdk/replication"
)

// role is what the record makes of this replica.
type role uint8

const (
	// roleNone is before the first step.
	roleNone role = iota
	roleLeader
	roleFollower
	// roleWaiting is without a leader, or out of the replicas.
	roleWaiting
)

// Acks of a proposal, as in the produce request.
const (
	acksAll    = -1
	acksNone   = 0
	acksLeader = 1
)

// Tags of timers.
const (
	timerLag   = "lag"
	timerFetch = "fetch"
)

// Machine is one replica.
type Machine struct {
	self   int32
	config Config

	record replication.Record
	// pending is a change of the record under way, nil for none.
	pending *replication.Record
	role    role
	log     log
	// hw is the high watermark. It never falls, log.start <= hw <= log.end.
	hw int64
	// sealed is the highest epoch that accepts no more, -1 for none.
	sealed int32

	leader   leader
	follower follower
	// session and sequence mark the messages of this machine.
	session, sequence uint64

	// appending are proposals whose Append is not answered yet, waiting those
	// that are in the log and wait for the high watermark, ordered by offset.
	appending, waiting queue

	// syncing is a Sync without its answer; staleSync is one that was asked
	// for before a truncation, so that its answer counts for nothing.
	syncing, staleSync bool

	// now and out are those of the step under way.
	now time.Duration
	out []replication.Effect
	// failed is the error that a step returned; every later one returns it.
	failed error
}

// Step takes events and appends effects to out. The first step also takes the
// role that follows from the record at the start; it may be without events.
func (m *Machine) Step(now time.Duration, events []replication.Event, out []replication.Effect) ([]replication.Effect, error) {
	if m.failed != nil {
		return out, m.failed
	}
	m.now, m.out = now, out
	if m.role == roleNone {
		m.takeRole()
		m.sync()
	}
	for i := range events {
		if m.failed = m.handle(&events[i]); m.failed != nil {
			break
		}
	}
	out, m.out = m.out, nil
	return out, m.failed
}

func (m *Machine) handle(e *replication.Event) error {
	switch e.Kind {
	case replication.EventPropose:
		m.propose(e.Request, e.Acks)
	case replication.EventAppended:
		return m.appended(e)
	case replication.EventAppendFailed:
		m.appendFailed(e)
	case replication.EventDurable:
		m.madeDurable(e.Offset)
	case replication.EventRecord, replication.EventRecordRefused:
		return m.newRecord(e)
	case replication.EventMessage:
		return m.receive(e)
	case replication.EventTimer:
		m.timer(e.Tag)
	case replication.EventReadGate:
		m.readGate(e.Request)
	default:
		return m.handleRare(e)
	}
	return nil
}

func (m *Machine) handleRare(e *replication.Event) error {
	switch e.Kind {
	case replication.EventTruncated:
		return m.truncated(e.End)
	case replication.EventSeal:
		m.seal(e.Epoch)
	case replication.EventSnapshotNeeded:
		m.snapshotNeeded(e.Peer)
	case replication.EventInstalled:
		return m.installed(e)
	case replication.EventTrimmed:
		m.trimmed(e.Base)
	case replication.EventDegraded:
		m.degraded(e.Tag)
	default:
		return module.Fatalf("isr has no event of kind %d", e.Kind)
	}
	return nil
}

func (m *Machine) emit(e replication.Effect) { m.out = append(m.out, e) }

// newRecord applies a record that is newer than the one known.
func (m *Machine) newRecord(e *replication.Event) error {
	if e.Record == nil {
		return module.Fatalf("a record event without a record")
	}
	if e.Record.Version <= m.record.Version {
		return nil
	}
	if err := checkRecord(*e.Record); err != nil {
		return err
	}
	// A change that another one overtook will be refused, since it names the
	// version before: it is no longer under way either.
	m.pending = nil
	old := m.record
	m.record = clone(*e.Record)
	m.trace(old)
	if m.record.Leader != old.Leader || m.record.LeaderEpoch != old.LeaderEpoch ||
		slices.Contains(m.record.Replicas, m.self) != slices.Contains(old.Replicas, m.self) {
		m.takeRole()
		return nil
	}
	if m.role == roleLeader {
		m.leader.keepPeers(m)
		m.settle()
	}
	return nil
}

func (m *Machine) trace(old replication.Record) {
	if m.role != roleLeader || m.record.Leader != m.self || len(old.InSync) == len(m.record.InSync) {
		return
	}
	tag := "isr-expand"
	if len(m.record.InSync) < len(old.InSync) {
		tag = "isr-shrink"
	}
	m.emit(replication.Effect{Kind: replication.EffectTrace, Tag: tag, Offset: m.hw})
}

// takeRole follows from the record.
func (m *Machine) takeRole() {
	led := m.role == roleLeader
	switch {
	case !slices.Contains(m.record.Replicas, m.self) || m.record.Leader < 0:
		m.role = roleWaiting
	case m.record.Leader == m.self:
		m.role = roleLeader
	default:
		m.role = roleFollower
	}
	if led && m.role != roleLeader {
		m.failWaiting(replication.ErrNotLeader)
		m.stopTimer(timerLag, &m.leader.timing)
	}
	if m.role != roleFollower {
		m.stopTimer(timerFetch, &m.follower.timing)
	}
	m.announce()
	switch m.role {
	case roleLeader:
		m.lead()
	case roleFollower:
		m.follow()
	}
}

func (m *Machine) announce() {
	leads := m.role == roleLeader
	m.emit(replication.Effect{
		Kind: replication.EffectRole, Leader: m.record.Leader, Epoch: m.record.LeaderEpoch,
		Writable: leads && !m.isSealed(), Readable: leads,
	})
}

// appended notes what was written, by this replica's own hand or a leader's.
func (m *Machine) appended(e *replication.Event) error {
	p, own := m.appending.remove(e.Request)
	if own && e.Base != m.log.end {
		return module.Fatalf("proposal %d was appended at %d to a log that ends at %d", e.Request, e.Base, m.log.end)
	}
	if err := m.log.extend(e.Base, e.End, e.Epoch); err != nil {
		return err
	}
	if own {
		p.base, p.end = e.Base, e.End
		m.written(p)
	} else {
		m.accepted()
	}
	m.sync()
	return nil
}

func (m *Machine) appendFailed(e *replication.Event) {
	if p, own := m.appending.remove(e.Request); own {
		err := e.Err
		if err == nil {
			err = module.Fatalf("the append failed without a reason")
		}
		m.ack(p.request, -1, err)
		return
	}
	// The fetch timer tries again.
	m.follower.busy = false
}

// sync asks for durability where something is counted by it.
func (m *Machine) sync() {
	if m.config.FlushBeforeAck && !m.syncing && m.log.end > m.log.durable {
		m.syncing = true
		m.emit(replication.Effect{Kind: replication.EffectSync})
	}
}

func (m *Machine) madeDurable(offset int64) {
	m.syncing = false
	if m.staleSync {
		m.staleSync = false
		m.sync()
		return
	}
	grown := min(offset, m.log.end)
	if grown > m.log.durable {
		m.log.durable = grown
		if m.config.FlushBeforeAck {
			m.safeGrown()
		}
	}
	m.sync()
}

func (m *Machine) safeGrown() {
	switch m.role {
	case roleLeader:
		m.settle()
	case roleFollower:
		m.sendProgress()
	}
}

// safe is how much of its log this replica counts as written.
func (m *Machine) safe() int64 {
	if m.config.FlushBeforeAck {
		return m.log.durable
	}
	return m.log.end
}

// raise moves the high watermark, never back.
func (m *Machine) raise(to int64) {
	if to > m.hw {
		m.hw = to
		m.emit(replication.Effect{Kind: replication.EffectVisible, Offset: to})
	}
}

// trimmed follows retention. Below the log start there is nothing to wait
// for, so the high watermark is at least there.
func (m *Machine) trimmed(start int64) {
	m.log.trim(start)
	m.raise(m.log.start)
}

func (m *Machine) timer(tag string) {
	switch {
	case tag == timerLag && m.role == roleLeader:
		m.leader.timing = false
		m.watch()
	case tag == timerFetch && m.role == roleFollower:
		m.follower.timing = false
		m.fetchAgain()
	}
}

func (m *Machine) startTimer(tag string, timing *bool, after time.Duration) {
	*timing = true
	m.emit(replication.Effect{Kind: replication.EffectTimer, Tag: tag, After: after})
}

func (m *Machine) stopTimer(tag string, timing *bool) {
	if *timing {
		*timing = false
		m.emit(replication.Effect{Kind: replication.EffectTimer, Tag: tag, After: -1})
	}
}

func (m *Machine) isSealed() bool { return m.record.LeaderEpoch <= m.sealed }

// seal is kept, so that a restart does not break it.
func (m *Machine) seal(epoch int32) {
	if epoch > m.sealed {
		m.sealed = epoch
		m.emit(replication.Effect{Kind: replication.EffectPutHard, Payload: binary.BigEndian.AppendUint32([]byte{messageVersion}, uint32(epoch))})
		if m.role == roleLeader && m.isSealed() {
			m.announce()
		}
	}
	m.emit(replication.Effect{Kind: replication.EffectSealed, Epoch: m.sealed, Offset: m.log.end})
}

func (m *Machine) restoreHard(hard []byte) error {
	if len(hard) == 0 {
		return nil
	}
	if len(hard) != 5 || hard[0] != messageVersion {
		return module.Fatalf("the hard state of %d bytes is not isr's", len(hard))
	}
	m.sealed = int32(binary.BigEndian.Uint32(hard[1:]))
	return nil
}

// receive takes a message of the same epoch; any other is of a past that is
// over or of a future that the record will bring.
func (m *Machine) receive(e *replication.Event) error {
	msg, err := decodeMessage(e.Payload)
	if err != nil || msg.epoch != m.record.LeaderEpoch {
		// What a peer sends must not stop this replica.
		return nil
	}
	switch m.role {
	case roleLeader:
		m.hearFollower(e.Peer, msg)
	case roleFollower:
		if e.Peer == m.record.Leader {
			return m.hearLeader(msg, e.Range)
		}
	}
	return nil
}
