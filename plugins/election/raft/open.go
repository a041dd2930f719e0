package raft

import (
	"errors"
	"path/filepath"
	"slices"

	"odradek.dev/sdk/module"
)

func snapshotPath(dir string) string { return filepath.Join(dir, "snapshot") }

// openMember reads what the module's folder holds. An empty one becomes that
// of a group whose only voter this broker is.
func openMember(env module.Env, c Config, open opener, odd tell, b *board) (*member, error) {
	h, err := readSnapshotHeader(env)
	if err != nil {
		return nil, err
	}
	m := &member{
		id: raftID(env.Node), peers: alone{}, board: b, appliedTerm: h.RaftTerm,
		pending: pending{indexed: map[uint64]*proposal{}},
	}
	b.ledger = ledgerAfter(h)
	if m.memory, err = newMemory(h); err != nil {
		return nil, err
	}
	if m.journal, err = openJournal(env, c.SegmentBytes, open, odd, m.memory.keep); err != nil {
		return nil, err
	}
	if err = m.join(env, h); err == nil {
		m.node, err = newNode(m.id, m.memory, env.Log)
	}
	if err == nil {
		err = m.begin()
	}
	if err != nil {
		_ = m.journal.close() // the first error is the one to report
		return nil, err
	}
	for _, v := range m.memory.voters.GetVoters() {
		b.voters = append(b.voters, nodeID(v))
	}
	return m, nil
}

// begin campaigns, since nobody else could be elected.
func (m *member) begin() error {
	if voters := m.memory.voters.GetVoters(); len(voters) != 1 {
		return module.Fatalf("metadata log %s has %d voters, but this release runs with one only", m.journal.dir, len(voters))
	}
	return m.node.Campaign()
}

func readSnapshotHeader(env module.Env) (snapshotHeader, error) {
	s, err := readSnapshot(env.FS, snapshotPath(env.Dir))
	if s == nil || err != nil {
		return snapshotHeader{}, err
	}
	return s.header, nil
}

// join checks that what was read is whole and this broker's, or begins a log.
func (m *member) join(env module.Env, h snapshotHeader) error {
	last, err := m.memory.LastIndex()
	if err != nil {
		return err
	}
	state := m.memory.hardState
	switch {
	case state.GetCommit() > last:
		return module.Fatalf("metadata log %s ends at raft entry %d, but %d was committed: restore the folder from a copy, or from another broker", m.journal.dir, last, state.GetCommit())
	case state.GetTerm() < h.RaftTerm:
		return module.Fatalf("metadata log %s knows epoch %d and the snapshot beside it epoch %d: restore the folder from a copy, or from another broker", m.journal.dir, state.GetTerm(), h.RaftTerm)
	}
	// That an entry is committed is not always written before a snapshot of
	// what it led to is.
	state.Commit = new(max(state.GetCommit(), h.RaftIndex))
	voters := m.memory.voters
	if len(voters.GetVoters()) == 0 {
		voters.Voters = []uint64{m.id}
		return m.journal.write(walRecord{voters: voters})
	}
	if !slices.Contains(voters.GetVoters(), m.id) {
		return module.Invalidf("metadata log folder %s belongs to node.id %d, and this broker has node.id %d: correct node.id or metadata.log.dir", env.Dir, nodeID(voters.GetVoters()[0]), env.Node)
	}
	return nil
}

// close writes what was committed last, which is not in the log yet.
func (m *member) close() error {
	return errors.Join(m.journal.write(walRecord{hardState: m.memory.hardState}), m.journal.close())
}
