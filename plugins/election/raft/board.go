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

// close ends the service with err, unless it has ended.
func (b *board) close(err error) {
	b.update(func() {
		if b.err == nil {
			b.err = err
		}
	})
}
