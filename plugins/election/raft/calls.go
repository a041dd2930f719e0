package raft

import (
	"context"

	"odradek.dev/sdk/election"
	"odradek.dev/sdk/module"
)

// Append implements [election.Election].
func (r *Raft) Append(ctx context.Context, epoch int64, entries [][]byte) (int64, error) {
	if len(entries) == 0 {
		return 0, module.Invalidf("an append needs at least one entry")
	}
	p := newProposal(epoch, entries)
	select {
	case r.proposals <- p:
	case <-r.ended:
		return 0, r.Health(ctx)
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	return r.await(ctx, p)
}

// await waits for what comes of a proposal. It may have been committed just
// before the end, of the module or of ctx.
func (r *Raft) await(ctx context.Context, p *proposal) (int64, error) {
	var err error
	select {
	case a := <-p.done:
		return a.last, a.err
	case <-r.ended:
		err = r.Health(ctx)
	case <-ctx.Done():
		err = ctx.Err()
	}
	select {
	case a := <-p.done:
		return a.last, a.err
	default:
		return 0, err
	}
}

// Follow implements [election.Election].
func (r *Raft) Follow(ctx context.Context, f election.Follow) (election.Update, error) {
	for {
		update, behind, changed, err := r.look(f)
		switch {
		case err != nil:
			return election.Update{}, err
		case behind:
			return r.fromSnapshot(f)
		case len(update.Entries) > 0 || update.Leadership != f.Leadership:
			return update, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return election.Update{}, ctx.Err()
		}
	}
}

// look returns what there is for f now, whether f is behind all that is kept,
// and what is closed at the next change.
func (r *Raft) look(f election.Follow) (update election.Update, behind bool, changed <-chan struct{}, err error) {
	r.board.view(func() {
		b := r.board
		changed, err = b.changed, b.err
		if err == nil && f.After > b.ledger.committed() {
			err = module.Fatalf("entry %d was applied, but the metadata log ends at %d: the host follows another log", f.After, b.ledger.committed())
		}
		entries, kept := b.ledger.after(f.After, f.MaxBytes)
		behind = !kept
		update = election.Update{Leadership: b.leadership, Entries: entries, Committed: b.ledger.committed()}
	})
	return update, behind, changed, err
}

// fromSnapshot answers one that knows less than what is kept. The file may be
// newer than what sent us here, and then fits what is kept even better.
func (r *Raft) fromSnapshot(f election.Follow) (election.Update, error) {
	s, err := readSnapshot(r.env.FS, snapshotPath(r.env.Dir))
	if err != nil {
		return election.Update{}, err
	}
	if s == nil {
		return election.Update{}, module.Fatalf("metadata snapshot %s is gone", snapshotPath(r.env.Dir))
	}
	f.After = s.header.Index
	f.MaxBytes -= len(s.state)
	update, _, _, err := r.look(f)
	update.Snapshot = &election.Snapshot{Index: s.header.Index, State: s.state}
	return update, err
}

// SaveSnapshot implements [election.Election].
func (r *Raft) SaveSnapshot(ctx context.Context, index int64, state []byte) error {
	r.saving.Lock()
	defer r.saving.Unlock()
	h, needed, err := r.headerAt(index)
	if err != nil || !needed {
		return err
	}
	if err := writeSnapshot(r.env.FS, r.env.Dir, snapshotPath(r.env.Dir), snapshot{header: h, state: state}); err != nil {
		return module.Retriablef("metadata snapshot %s cannot be written: %w", snapshotPath(r.env.Dir), err)
	}
	request := forget{header: h, done: make(chan error, 1)}
	select {
	case r.forgets <- request:
		return <-request.done
	case <-r.ended:
		return r.Health(ctx)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// headerAt is the header of a snapshot at index; none is needed if a later one
// is there.
func (r *Raft) headerAt(index int64) (h snapshotHeader, needed bool, err error) {
	r.board.view(func() {
		l := &r.board.ledger
		if err = r.board.unwritable(); err != nil {
			return
		}
		if index > l.committed() {
			err = module.Invalidf("a snapshot at entry %d was handed over, but only %d entries are committed", index, l.committed())
			return
		}
		through := l.through(index)
		h = snapshotHeader{Version: snapshotVersion, Index: index, RaftIndex: through.Index, RaftTerm: through.Term, Base: through.Last}
		for _, v := range r.board.voters {
			h.Voters = append(h.Voters, raftID(v))
		}
		needed = index > l.forgotten
	})
	return h, needed, err
}

// Status implements [election.Election].
func (r *Raft) Status(context.Context) (election.Status, error) {
	var s election.Status
	var err error
	r.board.view(func() {
		b := r.board
		s = election.Status{Leadership: b.leadership, Voters: b.voters, First: b.ledger.forgotten + 1, Committed: b.ledger.committed()}
		err = b.err
	})
	return s, err
}
