package raft

import (
	"math"

	"github.com/hashicorp/go-hclog"
	etcdraft "go.etcd.io/raft/v3"
	"go.etcd.io/raft/v3/raftpb"

	"odradek.dev/sdk/election"
	"odradek.dev/sdk/module"
)

// member is this broker's part in the Raft group: the library's state machine
// with what it keeps on the disk. One goroutine uses it.
type member struct {
	id      uint64
	node    *etcdraft.RawNode
	memory  *memory
	journal *journal
	peers   transport
	board   *board
	pending pending
	// appliedTerm is that of the last committed entry. A new leader is shown
	// as one only when an entry of its own term is committed: until then it
	// does not know which entries of earlier terms are.
	appliedTerm uint64
	// unwritten is a hard state that says only that more is committed. Raft does
	// not need that durable, and it goes with the next record. nil if there is
	// none.
	unwritten *raftpb.HardState
}

// raftID of a node is one more, because Raft has no member 0.
func raftID(node int32) uint64 { return uint64(node) + 1 }

func nodeID(raftID uint64) int32 { return int32(int64(raftID) - 1) }

func newNode(id uint64, m *memory, log hclog.Logger) (*etcdraft.RawNode, error) {
	applied, err := m.gone()
	if err != nil {
		return nil, err
	}
	return etcdraft.NewRawNode(&etcdraft.Config{
		ID: id, Storage: m, Applied: applied, Logger: logger{log},
		ElectionTick: 10, HeartbeatTick: 1, CheckQuorum: true, PreVote: true, DisableProposalForwarding: true,
		MaxSizePerMsg: 1 << 20, MaxCommittedSizePerReady: math.MaxInt64, MaxInflightMsgs: 256,
	})
}

// settle does all that Raft wants done. In the order that makes it safe:
// durable first, then sent, then shown.
func (m *member) settle() error {
	for m.node.HasReady() {
		ready := m.node.Ready()
		if err := m.store(ready); err != nil {
			return err
		}
		if err := m.peers.Send(ready.Messages); err != nil {
			return err
		}
		if err := m.commit(ready.CommittedEntries); err != nil {
			return err
		}
		m.node.Advance(ready)
	}
	m.announce()
	return nil
}

func (m *member) store(ready etcdraft.Ready) error {
	if !etcdraft.IsEmptySnap(ready.Snapshot) {
		return module.Fatalf("raft received a snapshot, but this release has one voter only")
	}
	r := walRecord{entries: ready.Entries, hardState: m.unwritten}
	if !etcdraft.IsEmptyHardState(ready.HardState) {
		r.hardState = ready.HardState
	}
	if !ready.MustSync {
		m.unwritten = r.hardState
		return m.memory.keep(r)
	}
	if err := m.journal.write(r); err != nil {
		return err
	}
	m.unwritten = nil
	for _, e := range r.entries {
		if len(e.GetData()) > 0 {
			m.pending.index(e.GetIndex())
		}
	}
	return m.memory.keep(r)
}

func (m *member) commit(entries []*raftpb.Entry) error {
	if len(entries) == 0 {
		return nil
	}
	ends := make([]int64, len(entries))
	var err error
	m.board.update(func() {
		for n, e := range entries {
			if err == nil {
				ends[n], err = m.board.ledger.commit(e.GetIndex(), e.GetTerm(), e.GetData())
			}
		}
	})
	if err != nil {
		return err
	}
	m.appliedTerm = entries[len(entries)-1].GetTerm()
	for n, e := range entries {
		m.pending.committed(e.GetIndex(), e.GetTerm(), ends[n])
	}
	return nil
}

// announce shows who leads, if that has changed.
func (m *member) announce() {
	status := m.node.BasicStatus()
	now := election.Leadership{Leader: nodeID(status.Lead), Epoch: int64(status.GetTerm())}
	if status.Lead == m.id && m.appliedTerm != status.GetTerm() {
		now.Leader = -1
	}
	var before election.Leadership
	m.board.view(func() { before = m.board.leadership })
	if now != before {
		m.board.update(func() { m.board.leadership = now })
	}
}

// propose gives a proposal to Raft, or answers it with ErrNotLeader.
func (m *member) propose(p *proposal) {
	var now election.Leadership
	m.board.view(func() { now = m.board.leadership })
	if now.Leader != nodeID(m.id) || now.Epoch != p.epoch {
		p.done <- answer{err: election.ErrNotLeader.With("it was to write under epoch %d, but broker %d leads under epoch %d", p.epoch, now.Leader, now.Epoch)}
		return
	}
	if err := m.node.Propose(p.data); err != nil {
		p.done <- answer{err: election.ErrNotLeader.With("%v", err)}
		return
	}
	m.pending.taken = append(m.pending.taken, p)
}

// forget drops what a snapshot, which is durable by now, stands for.
func (m *member) forget(h snapshotHeader) error {
	checkpoint := walRecord{hardState: m.memory.hardState, voters: m.memory.voters}
	if err := m.journal.forget(h.RaftIndex, checkpoint); err != nil {
		return err
	}
	gone, err := m.memory.gone()
	if err != nil {
		return err
	}
	if h.RaftIndex > gone {
		if err := m.memory.Compact(h.RaftIndex); err != nil {
			return err
		}
	}
	m.board.update(func() { m.board.ledger.forget(h) })
	return nil
}
