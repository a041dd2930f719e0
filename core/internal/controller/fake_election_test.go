package controller

import (
	"context"
	"sync"

	"odradek.dev/sdk/election"
	"odradek.dev/sdk/module"
)

// fakeElection keeps the log in memory and does what a test tells it.
type fakeElection struct {
	mu sync.Mutex
	// In mu.
	entries    []election.Entry
	snapshot   *election.Snapshot
	leadership election.Leadership
	// shown is how many entries followers may see; -1 for all.
	shown    int64
	appends  int
	followed error
	// lost is the error of the next append, which is written all the same.
	lost    error
	changed chan struct{}
	saved   chan int64
}

func newFakeElection() *fakeElection {
	return &fakeElection{
		leadership: election.Leadership{Leader: 1, Epoch: 1}, shown: -1,
		changed: make(chan struct{}), saved: make(chan int64, 100),
	}
}

// set changes the fake and wakes its followers.
func (f *fakeElection) set(change func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change()
	close(f.changed)
	f.changed = make(chan struct{})
}

func (f *fakeElection) lead(node int32, epoch int64) {
	f.set(func() { f.leadership = election.Leadership{Leader: node, Epoch: epoch} })
}

func (f *fakeElection) Append(_ context.Context, epoch int64, entries [][]byte) (last int64, err error) {
	f.set(func() {
		if f.leadership.Leader != 1 || f.leadership.Epoch != epoch {
			err = election.ErrNotLeader
			return
		}
		f.appends++
		for _, data := range entries {
			f.entries = append(f.entries, election.Entry{Index: int64(len(f.entries)) + 1, Epoch: epoch, Data: data})
		}
		last, err, f.lost = int64(len(f.entries)), f.lost, nil
	})
	return last, err
}

func (f *fakeElection) Follow(ctx context.Context, after election.Follow) (election.Update, error) {
	for {
		update, changed, err := f.look(after)
		if err != nil || update.Snapshot != nil || len(update.Entries) > 0 || update.Leadership != after.Leadership {
			return update, err
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return update, ctx.Err()
		}
	}
}

func (f *fakeElection) look(after election.Follow) (election.Update, <-chan struct{}, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	err := f.followed
	if module.ClassOf(err) == module.Retriable {
		f.followed = nil
	}
	update := election.Update{Leadership: f.leadership, Committed: int64(len(f.entries))}
	if f.snapshot != nil && after.After < f.snapshot.Index {
		update.Snapshot = f.snapshot
		after.After = f.snapshot.Index
	}
	end := int64(len(f.entries))
	if f.shown >= 0 {
		end = min(end, f.shown)
	}
	if after.After < end {
		update.Entries = f.entries[after.After:end]
	}
	return update, f.changed, err
}

func (f *fakeElection) SaveSnapshot(_ context.Context, index int64, state []byte) error {
	f.set(func() { f.snapshot = &election.Snapshot{Index: index, State: state} })
	f.saved <- index
	return nil
}

func (f *fakeElection) Status(context.Context) (election.Status, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return election.Status{Leadership: f.leadership, Committed: int64(len(f.entries))}, nil
}

func (f *fakeElection) appended() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.appends
}
