package raft

import (
	etcdraft "go.etcd.io/raft/v3"
	"go.etcd.io/raft/v3/raftpb"

	"odradek.dev/sdk/module"
)

// memory is what the Raft library reads back: the hard state, the voters and
// the entries after the last snapshot, as they are in the journal.
type memory struct {
	*etcdraft.MemoryStorage
	hardState *raftpb.HardState
	voters    *raftpb.ConfState
}

// newMemory begins after the Raft entry that the snapshot ended with.
func newMemory(h snapshotHeader) (*memory, error) {
	m := &memory{
		MemoryStorage: etcdraft.NewMemoryStorage(),
		hardState:     &raftpb.HardState{}, voters: &raftpb.ConfState{Voters: h.Voters},
	}
	return m, m.ApplySnapshot(&raftpb.Snapshot{Metadata: &raftpb.SnapshotMetadata{
		Index: new(h.RaftIndex), Term: new(h.RaftTerm), ConfState: m.voters,
	}})
}

// InitialState is what the library starts from.
func (m *memory) InitialState() (*raftpb.HardState, *raftpb.ConfState, error) {
	return m.hardState, m.voters, nil
}

// Snapshot would be sent to a voter that is behind what is kept.
func (m *memory) Snapshot() (*raftpb.Snapshot, error) {
	return nil, module.Fatalf("raft wants to send a snapshot, but this release has one voter only")
}

// keep takes what is now in the journal, or was found there.
func (m *memory) keep(r walRecord) error {
	if r.hardState != nil {
		m.hardState = r.hardState
	}
	if r.voters != nil {
		m.voters = r.voters
	}
	if len(r.entries) == 0 {
		return nil
	}
	last, err := m.LastIndex()
	if err != nil {
		return err
	}
	if first := r.entries[0].GetIndex(); first > last+1 {
		return module.Fatalf("it goes on with raft entry %d after %d: a file of the log, or the snapshot, is missing; %s", first, last, restore)
	}
	return m.Append(r.entries)
}

// gone is the index of the last Raft entry that a snapshot stands for.
func (m *memory) gone() (uint64, error) {
	first, err := m.FirstIndex()
	return first - 1, err
}
