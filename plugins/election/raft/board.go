package raft

import (
	"sync"

	"odradek.dev/sdk/election"
)

// board is what calls see of the member: it writes, they read and wait.
type board struct {
	mu sync.Mutex
	// In mu.
	ledger     ledger
	leadership election.Leadership
	voters     []int32
	// err is why the module serves nothing more, nil while it does.
	err error
	// stalled is why nothing can be written for now, nil while it can. What is
	// committed is shown all the same, and so is the leadership: nobody else has it.
	stalled error
	// changed is closed, and replaced, when any of the above changes.
	changed chan struct{}
}

func newBoard() *board {
	return &board{leadership: election.Leadership{Leader: -1}, changed: make(chan struct{})}
}

// update changes the board and wakes all that wait.
func (b *board) update(change func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	change()
	close(b.changed)
	b.changed = make(chan struct{})
}

// view looks at the board.
func (b *board) view(look func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	look()
}

// take shows what another board does, that of a member made anew.
func (b *board) take(other *board) {
	b.update(func() {
		b.ledger, b.leadership, b.voters, b.stalled = other.ledger, other.leadership, other.voters, nil
	})
}

// unwritable is why nothing can be written. The caller holds mu.
func (b *board) unwritable() error {
	if b.err != nil {
		return b.err
	}
	return b.stalled
}

// close ends the service with err, unless it has ended.
func (b *board) close(err error) {
	b.update(func() {
		if b.err == nil {
			b.err = err
		}
	})
}
