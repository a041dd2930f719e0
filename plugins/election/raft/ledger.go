package raft

import (
	"odradek.dev/sdk/election"
	"odradek.dev/sdk/module"
)

// ledger is the committed entries under the indexes of the contract. A Raft
// entry holds any number of them, none in that of a new leader, so that the
// two counts differ.
type ledger struct {
	// forgotten is the index of the last entry that a snapshot stands for.
	forgotten int64
	// entries follow it without a gap.
	entries []election.Entry
	// base is the last Raft entry that is wholly in the snapshot.
	base mark
	// marks says where each Raft entry after base ended, ascending.
	marks []mark
	// last is the index of the last committed entry; it is below forgotten
	// while entries that the snapshot stands for are replayed.
	last int64
}

// mark says that Raft entry Index, of Term, ended with entry Last.
type mark struct {
	Index, Term uint64
	Last        int64
}

// ledgerAfter is that of a broker that knows a snapshot only.
func ledgerAfter(h snapshotHeader) ledger {
	return ledger{
		forgotten: h.Index, last: h.Base,
		base: mark{Index: h.RaftIndex, Term: h.RaftTerm, Last: h.Base},
	}
}

// commit takes a committed Raft entry and returns the index of its last entry.
func (l *ledger) commit(index, term uint64, data []byte) (int64, error) {
	batch, err := decodeBatch(data)
	if err != nil {
		return 0, module.Fatalf("raft entry %d: %w", index, err)
	}
	for _, e := range batch {
		l.last++
		if l.last > l.forgotten {
			l.entries = append(l.entries, election.Entry{Index: l.last, Epoch: int64(term), Data: e})
		}
	}
	l.marks = append(l.marks, mark{Index: index, Term: term, Last: l.last})
	return l.last, nil
}

// committed is the index of the last committed entry that is known of.
func (l *ledger) committed() int64 { return max(l.last, l.forgotten) }

// through is the last Raft entry whose entries all are at or below index.
func (l *ledger) through(index int64) mark {
	for n := len(l.marks) - 1; n >= 0; n-- {
		if l.marks[n].Last <= index {
			return l.marks[n]
		}
	}
	return l.base
}

// forget drops what a snapshot stands for. It makes new slices, so that the
// memory is given back.
func (l *ledger) forget(h snapshotHeader) {
	if h.Index > l.forgotten {
		l.entries = append([]election.Entry(nil), l.entries[h.Index-l.forgotten:]...)
		l.forgotten = h.Index
	}
	keep := 0
	for keep < len(l.marks) && l.marks[keep].Index <= h.RaftIndex {
		keep++
	}
	l.marks = append([]mark(nil), l.marks[keep:]...)
	l.base = mark{Index: h.RaftIndex, Term: h.RaftTerm, Last: h.Base}
}

// after returns the entries after index, at least one if there is one and else
// no more than maxBytes; false if some of them are forgotten.
func (l *ledger) after(index int64, maxBytes int) ([]election.Entry, bool) {
	if index < l.forgotten {
		return nil, false
	}
	rest := l.entries[min(index-l.forgotten, int64(len(l.entries))):]
	for n, e := range rest {
		if maxBytes -= len(e.Data); maxBytes < 0 && n > 0 {
			return rest[:n:n], true
		}
	}
	return rest[:len(rest):len(rest)], true
}
